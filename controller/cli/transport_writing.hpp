// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/cluster.hpp"

#include <string_view>

namespace submix::cli {

/// Pauses or resumes the whole show, whatever others do with the transport meanwhile.
[[nodiscard]] Result<void> set_paused(cluster::Cluster& cluster, bool is_paused,
                                      std::string_view command);

}  // namespace submix::cli
