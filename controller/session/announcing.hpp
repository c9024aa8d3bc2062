// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/cluster.hpp"
#include "common/show/document.hpp"

#include <chrono>

namespace submix::session {

/// The show's time now, since 1970: reads the cluster's clock a few times.
[[nodiscard]] Result<std::chrono::nanoseconds> read_show_time(cluster::Cluster& cluster);

/// Announces the changes of pace in `after`, which replaces `before` at once (show::announce()).
/// Null `before`: there is no show. Reads the clock only if needed. True: `after` was changed.
[[nodiscard]] Result<bool> announce_now(cluster::Cluster& cluster, const show::Show* before,
                                        show::Show& after);

}  // namespace submix::session
