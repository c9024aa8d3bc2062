// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/cluster.hpp"
#include "common/show/document.hpp"

#include <chrono>
#include <cstdint>

namespace submix::cli {

/// Waits until the submix's node has taken up revision `revision` of the show, or `patience` is over.
///
/// Errors   The node could not do what the show asks of the submix: its own words. A node that is not here,
/// or
///          says nothing within `patience`, is no error: it will converge when it can.
[[nodiscard]] Result<void> wait_for_node(cluster::Cluster& cluster, const show::Submix& submix,
                                         std::uint64_t revision,
                                         std::chrono::milliseconds patience);

}  // namespace submix::cli
