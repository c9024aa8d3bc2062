// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

namespace submix::model {

/// The first item that matches, or null.
template <typename Items, typename Matches>
[[nodiscard]] auto find_where(const Items& items, Matches matches) -> const
    typename Items::value_type* {
  const auto found = std::ranges::find_if(items, matches);
  return found == items.end() ? nullptr : &*found;
}

}  // namespace submix::model
