// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/telemetry/readings.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace submix::simulation {

inline constexpr int kCards = 2;
inline constexpr int kCoresOfNode = 8;
inline constexpr int kCardMbit = 10'000;

/// A simulated computer: the reports of a node about itself and its machine.
///
/// Threads  Compatible.
class Node {
 public:
  /// `number` counts from 0 and determines the node's addresses.
  Node(std::string name, int number, int card_mbit = kCardMbit);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::vector<std::string> addresses() const;
  [[nodiscard]] bool is_alive() const { return is_alive_; }
  void die() { is_alive_ = false; }
  /// Begins a new life: totals begin anew, except the machine's.
  void restart();

  void set_show_revision(std::uint64_t revision) { report_.show_revision = revision; }
  void set_submixes(std::vector<cluster::SubmixReport> submixes) {
    report_.submixes = std::move(submixes);
  }
  [[nodiscard]] const cluster::NodeReport& report() const { return report_; }

  /// Passes `time`, in which `cpu` of work was done.
  void live(std::chrono::nanoseconds time, std::chrono::nanoseconds cpu);
  void lose_realtime(std::string reason) { realtime_loss_ = std::move(reason); }
  void count_bytes(int card, std::uint64_t received, std::uint64_t sent);
  /// The next reading, without submixes and streams.
  [[nodiscard]] telemetry::NodeReading next_reading(bool is_paused);

 private:
  void begin_life();

  const std::string name_;
  const int number_;
  int lives_ = 0;
  bool is_alive_ = true;
  cluster::NodeReport report_;
  std::uint64_t sequence_ = 0;
  std::chrono::nanoseconds uptime_{0};
  std::chrono::nanoseconds cpu_{0};
  telemetry::MachineReading machine_;
  std::string realtime_loss_;
};

}  // namespace submix::simulation
