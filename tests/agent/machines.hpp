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

/// The machine's own clock, which a test may put forward.
class ForwardClock final : public Clock {
 public:
  [[nodiscard]] LocalTime now() const override { return SteadyClock().now() + ahead_.load(); }
  void put_forward(std::chrono::milliseconds time) { ahead_ = ahead_.load() + time; }

 private:
  std::atomic<std::chrono::milliseconds> ahead_{std::chrono::milliseconds(0)};
};

/// A node without a control plane: real patches and real streams over loopback, and a thread that converges
/// to the newest show it was given, as the agent's does. It has a filter "refused", which cannot be made;
/// no trial shows that, so a whole submix fails for it; and a source "filed", which needs a file that the
/// machine may lack.
class Machine {
 public:
  explicit Machine(std::string name, EpochClock::WallClock wall_clock = {});

  ~Machine() { stop(); }
  /// Both know from now on where the other takes frames, and what it runs.
  void meet(Machine& other);
  /// The other one hears nothing from it any more, and may end.
  void part_from(const Machine& other) SUBMIX_EXCLUDES(mutex_);
  /// Whether what it reports reaches the others; it does from the beginning.
  void set_heard(bool is_heard) { is_heard_ = is_heard; }
  /// Whether it has the file of the source "filed"; it has from the beginning.
  void set_has_file(bool has_file) { has_file_ = has_file; }
  /// As once another node has ended.
  void take_for_ended(const std::string& node) { streams_->set_running(node, {}); }
  [[nodiscard]] bool has_taken_over(const std::string& submix) const {
    return streams_->has_taken_over(submix);
  }
  [[nodiscard]] std::string other_node_of(const std::string& submix) const {
    return streams_->other_node_of(submix);
  }
  /// As from a report of another node.
  void hear(std::uint64_t epoch) { epochs_.hear(epoch); }
  /// Where it takes frames.
  [[nodiscard]] std::vector<DataEndpoint> endpoints() const { return data_plane_->endpoints(); }
  /// For its streams time has passed.
  void put_forward(std::chrono::milliseconds time) { stream_clock_.put_forward(time); }
  /// Joins its thread; before any machine that it has met is destroyed.
  void stop() { agent_ = {}; }
  void give(const show::Show& show) SUBMIX_EXCLUDES(mutex_);
  /// Whether it has converged to what it was given last.
  [[nodiscard]] bool is_settled() const SUBMIX_EXCLUDES(mutex_);
  /// Whether something of a former show runs on until others have taken over.
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
  std::uint64_t shows_given_ SUBMIX_GUARDED_BY(mutex_) = 0;  // the newest one's revision
  std::uint64_t revision_ = 0;                               // that it follows; its own thread only
  bool is_busy_ SUBMIX_GUARDED_BY(mutex_) = false;
  bool is_handing_over_ SUBMIX_GUARDED_BY(mutex_) = false;
  std::jthread agent_;
};

}  // namespace submix::agent
