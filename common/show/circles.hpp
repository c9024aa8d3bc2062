// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace submix::show {

/// For each node of a graph, the names of the nodes that read it.
using Graph = std::map<std::string, std::vector<std::string>>;

/// The remedy for a circle in a patch, for error messages.
inline constexpr std::string_view kCircleRemedy =
    "take one of these names out of \"inputs\", or give it a delay in frames, as \"name@1\"";

/// One circle in `graph`, as "a -> b -> a" in the direction of the arrows. Empty: the graph has no
/// circle.
[[nodiscard]] std::string find_circle(const Graph& graph);

}  // namespace submix::show
