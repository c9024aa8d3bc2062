// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"

#include <vector>

namespace submix::simulation {

/// The plugins of a simulated node: those of generated shows, with a few parameters each, and those
/// used in `show`, with the parameters set there.
[[nodiscard]] std::vector<cluster::PluginSummary> plugins_for(const show::Show& show);

}  // namespace submix::simulation
