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

/// A node that does nothing but talk: it takes up what the desired show gives it, reports it as running and
/// publishes figures and pictures as a real one would. For looking at the controller without real nodes.
class SimulatedNode {
 public:
  /// The bus outlives it.
  SimulatedNode(cluster::Bus& bus, std::string name, int number);

  /// A tenth of a second of life.
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
