// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/cluster.hpp"
#include "common/show/document.hpp"

#include <chrono>
#include <cstdint>

namespace submix::cli {

/// Waits until the submix's node has taken up revision `revision` of the show, for at most
/// `patience`.
///
/// Errors   The node's own words, if it could not run the submix as the show asks. An absent or
///          silent node is no error: it will converge when it can.
[[nodiscard]] Result<void> wait_for_node(cluster::Cluster& cluster, const show::Submix& submix,
                                         std::uint64_t revision,
                                         std::chrono::milliseconds patience);

}  // namespace submix::cli
