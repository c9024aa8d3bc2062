// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "node/agent/epoch_clock.hpp"
#include "node/agent/streams.hpp"
#include "node/agent/submixes.hpp"
#include "tests/support/event_log.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace submix::agent {

/// The machine's clock; a test may put it forward.
class ForwardClock final : public Clock {
 public:
  [[nodiscard]] LocalTime now() const override { return SteadyClock().now() + ahead_.load(); }
  void put_forward(std::chrono::milliseconds time) { ahead_ = ahead_.load() + time; }

 private:
  std::atomic<std::chrono::milliseconds> ahead_{std::chrono::milliseconds(0)};
};

/// A node without a control plane: real patches, real streams over loopback, and a thread that
/// converges to the newest show, like the agent's. Its catalog has two special plugins. The filter
/// "refused" cannot be made, and no trial shows the fault, so a whole submix fails. The source
/// "filed" needs a file that the machine may lack.
class Machine {
 public:
  explicit Machine(std::string name, EpochClock::WallClock wall_clock = {});

  ~Machine() { stop(); }
  /// Tells both machines the other's addresses and submixes from now on.
  void meet(Machine& other);
  /// The other machine hears nothing from it any more, and may end.
  void part_from(const Machine& other) SUBMIX_EXCLUDES(mutex_);
  /// Whether its reports reach the others; initially true.
  void set_heard(bool is_heard) { is_heard_ = is_heard; }
  /// Whether it has the file of the source "filed"; initially true.
  void set_has_file(bool has_file) { has_file_ = has_file; }
  /// Tells it that another node has ended.
  void take_for_ended(const std::string& node) { streams_->set_running(node, {}); }
  [[nodiscard]] bool has_taken_over(const std::string& submix) const {
    return streams_->has_taken_over(submix);
  }
  [[nodiscard]] std::string other_node_of(const std::string& submix) const {
    return streams_->other_node_of(submix);
  }
  /// Gives it the data of another node's report.
  void hear(std::uint64_t epoch) { epochs_.hear(epoch); }
  /// The addresses at which it accepts frames.
  [[nodiscard]] std::vector<DataEndpoint> endpoints() const { return data_plane_->endpoints(); }
  /// Puts the clock of its streams forward.
  void put_forward(std::chrono::milliseconds time) { stream_clock_.put_forward(time); }
  /// Joins its thread. Call before any machine that it has met is destroyed.
  void stop() { agent_ = {}; }
  void give(const show::Show& show) SUBMIX_EXCLUDES(mutex_);
  /// Whether it has converged to the last given show.
  [[nodiscard]] bool is_settled() const SUBMIX_EXCLUDES(mutex_);
  /// Whether parts of a former show run on until others have taken over.
  [[nodiscard]] bool is_handing_over() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] engine::Transport& transport() { return transport_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::vector<telemetry::SubmixReading> submixes() const {
    return submixes_->readings();
  }
  [[nodiscard]] std::vector<telemetry::StreamReading> streams() const {
    return streams_->readings();
  }
  [[nodiscard]] std::vector<cluster::SubmixReport> reports() const { return submixes_->reports(); }
  [[nodiscard]] std::vector<std::string> events() const { return events_.lines(); }

 private:
  void follow(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::optional<show::Show> take_given() SUBMIX_EXCLUDES(mutex_);
  void converge(const show::Show& show);
  void report() SUBMIX_EXCLUDES(mutex_);

  const std::string name_;
  testing::EventLog events_;
  SteadyClock clock_;
  ForwardClock stream_clock_;
  EpochClock epochs_;
  std::atomic<bool> is_heard_{true};
  std::atomic<bool> has_file_{true};
  engine::Transport transport_;
  std::unique_ptr<link::DataPlane> data_plane_;
  std::unique_ptr<Streams> streams_;
  plugin::Catalog catalog_;
  std::unique_ptr<Submixes> submixes_;

  mutable Mutex mutex_;
  Condition given_;
  std::vector<Machine*> others_ SUBMIX_GUARDED_BY(mutex_);
  std::optional<show::Show> next_ SUBMIX_GUARDED_BY(mutex_);
  std::uint64_t shows_given_ SUBMIX_GUARDED_BY(mutex_) = 0;  // the revision of the newest show
  std::uint64_t revision_ = 0;  // revision that it follows; its own thread only
  bool is_busy_ SUBMIX_GUARDED_BY(mutex_) = false;
  bool is_handing_over_ SUBMIX_GUARDED_BY(mutex_) = false;
  std::jthread agent_;
};

}  // namespace submix::agent
