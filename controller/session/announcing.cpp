// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/announcing.hpp"

#include "common/cluster/cluster_clock.hpp"
#include "common/show/announce.hpp"

namespace submix::session {

Result<std::chrono::nanoseconds> read_show_time(cluster::Cluster& cluster) {
  const SteadyClock clock;
  cluster::ClusterClock cluster_clock;
  SUBMIX_TRY(cluster_clock.measure(cluster, clock));
  return *cluster_clock.time_at(clock.now());
}

Result<bool> announce_now(cluster::Cluster& cluster, const show::Show* before, show::Show& after) {
  if (!show::needs_announcement(before, after)) return false;
  const auto now = read_show_time(cluster);
  SUBMIX_TRY(now);
  show::announce(before, after, show::announced_after(*now));
  return true;
}

}  // namespace submix::session
