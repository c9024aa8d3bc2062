// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

namespace submix::show {

/// Who reads whom, by name.
using Graph = std::map<std::string, std::vector<std::string>>;

/// One circle in `graph`, as "a -> b -> a" in the direction of the arrows; empty when there is none.
[[nodiscard]] std::string find_circle(const Graph& graph);

}  // namespace submix::show
