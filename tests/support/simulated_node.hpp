// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/cluster/cluster.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace submix::testing {

/// A node without pictures, for looking at the controller. It reports its share of the desired show
/// as running, and publishes readings and pictures like a real node.
class SimulatedNode {
 public:
  /// `bus` outlives the node.
  SimulatedNode(cluster::Bus& bus, std::string name, int number);

  /// Publishes the readings of a tenth of a second.
  void advance();

 private:
  void take_up(const show::Show& show, std::uint64_t revision);
  void take_up(const cluster::DesiredTransport& transport);
  void run(std::uint64_t frames);
  [[nodiscard]] cluster::Snapshot picture(const cluster::Command& command) const;
  [[nodiscard]] Result<cluster::Reply> answer(const cluster::Command& command) const;

  cluster::Cluster cluster_;
  const int number_;
  mutable Mutex mutex_;
  show::Show show_;
  cluster::NodeReport report_;
  telemetry::NodeReading reading_;
  cluster::DesiredTransport transport_;
  std::uint64_t steps_due_ = 0;
  std::uint64_t frames_ = 0;
  bool has_report_changed_ = true;
  std::vector<std::unique_ptr<cluster::Subscription>> subscriptions_;
};

}  // namespace submix::testing
