// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"
#include "common/show/problem.hpp"

#include <cstddef>
#include <vector>

namespace submix::cli {

/// The faults of one submix of a show, by the plugins of its assigned node: unknown plugins and
/// parameters, numbers of inputs, circles, types of values, and numbers beyond a limit. (An absent
/// node clamps such a number when it arrives, and warns.)
[[nodiscard]] show::Problems check_submix(const show::Show& show, std::size_t submix_index,
                                          const std::vector<cluster::PluginSummary>& plugins);

}  // namespace submix::cli
