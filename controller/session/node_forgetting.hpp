// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/cluster.hpp"

#include <string>

namespace submix::session {

/// Takes a node's report out of the cluster.
///
/// Cost     A second at most, while a node of that name is asked for.
/// Errors   A node that is in the show, that runs, or that nobody has heard of; the message says what to do.
[[nodiscard]] Result<void> forget_node(cluster::Cluster& cluster, const std::string& node);

}  // namespace submix::session
