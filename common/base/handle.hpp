// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix {

/// Deletes a C library's object by its function: std::unique_ptr<cairo_t, FreeBy<cairo_destroy>>.
template <auto free>
struct FreeBy {
  template <typename Object>
  void operator()(Object* object) const {
    free(object);
  }
};

}  // namespace submix
