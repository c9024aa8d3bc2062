// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/bounded_queue.hpp"
#include "common/base/clock.hpp"
#include "common/base/latest_value.hpp"
#include "controller/session/actions.hpp"
#include "controller/session/cluster_access.hpp"
#include "controller/session/request_task.hpp"
#include "controller/session/session_core.hpp"

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <variant>

namespace submix::session {

/// A controller's connection to the cluster: shows its state and carries out the actions of people.
///
/// Threads  Synchronized. `net` runs the SessionCore. `write`, two `picture` threads and `slow`
///          wait for answers of the cluster, `file` waits for the disk. So a node that hangs delays
///          neither the view nor a write. The other threads: README.md.
/// Cost     view(), pictures(), post(): O(1); they never wait for the cluster.
/// Errors   Without NATS or nodes the session runs and says so in the view. Later faults are events
///          in the view.
class Session {
 public:
  Session(std::unique_ptr<ClusterAccess> cluster, const Clock& clock, SessionSettings settings);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] std::shared_ptr<const model::ClusterView> view() const { return view_.load(); }
  [[nodiscard]] std::shared_ptr<const Pictures> pictures() const { return pictures_.load(); }
  /// False: the queue is full, because the session hangs; the action is dropped.
  [[nodiscard]] bool post(Action action);

 private:
  using Letter = std::variant<Update, Action, Reply>;

  void deliver(Update update);
  void run_net();
  [[nodiscard]] LocalTime next_pictures() const;
  void exchange_pictures(LocalTime now);
  [[nodiscard]] bool is_over();
  void handle(Letter letter);
  [[nodiscard]] BoundedQueue<RequestTask>& tasks_of(RequestQueue queue);
  void send(Request request);
  void publish(LocalTime now);
  void run_tasks(BoundedQueue<RequestTask>& tasks);

  const std::unique_ptr<ClusterAccess> cluster_;
  const Clock& clock_;
  const SessionSettings settings_;
  LatestValue<model::ClusterView> view_;
  LatestValue<Pictures> pictures_;
  BoundedQueue<Letter> mailbox_;
  // One for each RequestQueue.
  BoundedQueue<RequestTask> writes_;
  BoundedQueue<RequestTask> questions_;
  BoundedQueue<RequestTask> slow_;
  BoundedQueue<RequestTask> media_;
  BoundedQueue<RequestTask> copies_;
  BoundedQueue<RequestTask> files_;
  std::atomic<std::uint64_t> dropped_{0};
  std::atomic<bool> is_ending_{false};
  // Confined to `net` once that thread runs.
  SessionCore core_;
  bool has_news_ = false;
  LocalTime published_{};
  bool has_pictures_ = false;  // not published yet
  LocalTime pictures_exchanged_{};
  std::optional<LocalTime> end_;  // the latest end, once the session is ending

  std::jthread net_;
  std::jthread write_;
  std::jthread file_;
  std::jthread picture_a_;
  std::jthread picture_b_;
  std::jthread media_thread_;
  std::jthread copy_thread_;
  std::jthread slow_thread_;
};

}  // namespace submix::session
