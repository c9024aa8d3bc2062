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

/// Says on a control plane what the nodes of a World would, and answers what is asked of them.
///
/// Owner    The bus and the clock outlive it.
/// Threads  advance(): one thread. Commands and the desired state come on the bus's.
class SimulatedNodes {
 public:
  SimulatedNodes(cluster::Bus& bus, const Clock& clock, World::WorldSettings settings);

  /// Lives on until now, and publishes: to be called ten times a second. What the control plane refuses is
  /// said again next time.
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
  std::map<std::size_t, std::string> traces_
      SUBMIX_GUARDED_BY(mutex_);               // whose parts are being asked for
  std::vector<cluster::NodeReport> reported_;  // as the control plane has them
  std::vector<std::unique_ptr<cluster::Subscription>> subscriptions_;
  std::vector<std::unique_ptr<cluster::Subscription>> services_;  // of nodes that live
};

}  // namespace submix::simulation
