// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/cluster/cluster.hpp"
#include "controller/simulation/world.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace submix::simulation {

/// Plays the nodes of a World on a control plane: publishes their reports and readings, and answers
/// their commands.
///
/// Owner    The bus and the clock must outlive it.
/// Threads  advance(): one thread. Commands and the desired state arrive on the bus's threads.
class SimulatedNodes {
 public:
  SimulatedNodes(cluster::Bus& bus, const Clock& clock, World::WorldSettings settings);

  /// Advances the world to the present and publishes. Call it ten times a second. A report that the
  /// control plane refuses is sent again next time.
  void advance() SUBMIX_EXCLUDES(mutex_);

 private:
  void take_show(const cluster::Revisioned<cluster::DesiredShow>& desired) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Result<cluster::Reply> answer(std::size_t node, const cluster::Command& command)
      SUBMIX_EXCLUDES(mutex_);
  void serve(std::size_t node);

  cluster::Cluster cluster_;
  const Clock& clock_;
  Mutex mutex_;
  World world_ SUBMIX_GUARDED_BY(mutex_);
  // Traces whose parts are being fetched, by node.
  std::map<std::size_t, std::string> traces_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<cluster::NodeReport> reported_;  // as the control plane has them
  std::vector<std::unique_ptr<cluster::Subscription>> subscriptions_;
  std::vector<std::unique_ptr<cluster::Subscription>> services_;  // of living nodes
};

}  // namespace submix::simulation
