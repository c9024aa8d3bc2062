// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace submix::show {

/// Who reads whom, by name.
using Graph = std::map<std::string, std::vector<std::string>>;

/// What to do about one in a patch.
inline constexpr std::string_view kCircleRemedy =
    "take one of these names out of \"inputs\", or give it a delay in frames, as \"name@1\"";

/// One circle in `graph`, as "a -> b -> a" in the direction of the arrows; empty when there is none.
[[nodiscard]] std::string find_circle(const Graph& graph);

}  // namespace submix::show
