// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/cluster.hpp"

#include <string_view>

namespace submix::cli {

/// Pauses the whole show, or lets it run on; whatever others do with it meanwhile.
[[nodiscard]] Result<void> set_paused(cluster::Cluster& cluster, bool is_paused,
                                      std::string_view command);

}  // namespace submix::cli
