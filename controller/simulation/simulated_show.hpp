// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace submix::simulation {

struct Scale {
  std::size_t nodes = 64;
  std::optional<std::size_t> streams;  ///< empty: about four for each node
  std::uint64_t seed = 1;
};

/// A show with a submix on each node: performers, who make pictures, and mixes of them and of other mixes, up
/// to the one that shows the output. Valid, and the same for the same scale.
///
/// Errors   Fewer streams than lead each picture on, or more than a show, or the mixes' inputs, can have:
/// says how
///          many are possible.
[[nodiscard]] Result<show::Show> make_show(const Scale& scale);

}  // namespace submix::simulation
