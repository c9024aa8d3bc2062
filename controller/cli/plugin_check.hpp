// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"
#include "common/show/problem.hpp"

#include <cstddef>
#include <vector>

namespace submix::cli {

/// What is wrong with one submix of a show, given the plugins of the node that shall run it: unknown plugins
/// and parameters, numbers of inputs, circles, types of values, numbers beyond a limit. (A node that comes
/// later clamps such a number, and warns.)
[[nodiscard]] show::Problems check_submix(const show::Show& show, std::size_t submix_index,
                                          const std::vector<cluster::PluginSummary>& plugins);

}  // namespace submix::cli
