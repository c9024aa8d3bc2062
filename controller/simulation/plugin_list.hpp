// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"

#include <vector>

namespace submix::simulation {

/// What a simulated node says of its plugins: those of made shows, with a few parameters each, and those that
/// stand in `show`, with the parameters that are set there.
[[nodiscard]] std::vector<cluster::PluginSummary> plugins_for(const show::Show& show);

}  // namespace submix::simulation
