// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the bus.

#include "common/base/mutex.hpp"
#include "common/base/thread.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/nats_connection.hpp"

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::cluster {

class SubjectSubscription;

/// Makes connections, one after the other, and puts the subscriptions onto each.
///
/// Threads  Synchronized. A thread of its own connects, and looks ten times a second whether the connection
/// lives:
///          libnats' own callbacks may outlive what they are about.
class Connector {
 public:
  Connector(BusSettings settings, Bus::StateCallback on_state);
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;
  ~Connector();

  /// Null while there is none.
  [[nodiscard]] std::shared_ptr<NatsConnection> connection() const SUBMIX_EXCLUDES(mutex_);
  /// Waits for one; null when asked to stop.
  [[nodiscard]] std::shared_ptr<NatsConnection> wait_for_connection(const std::stop_token& stop) const
      SUBMIX_EXCLUDES(mutex_);
  /// Waits until the first attempt to connect is over.
  [[nodiscard]] Result<void> wait_for_first_attempt() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::string last_error() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Error disconnected() const;

  void add(SubjectSubscription& subscription) SUBMIX_EXCLUDES(mutex_);
  void remove(SubjectSubscription& subscription) SUBMIX_EXCLUDES(mutex_);

 private:
  void run(const std::stop_token& stop);
  void attach(std::shared_ptr<NatsConnection> connection) SUBMIX_EXCLUDES(mutex_);
  void note_failure(std::string message) SUBMIX_EXCLUDES(mutex_);
  void detach() SUBMIX_EXCLUDES(mutex_);
  void pause(const std::stop_token& stop, std::chrono::milliseconds time) const SUBMIX_EXCLUDES(mutex_);

  const BusSettings settings_;
  const Bus::StateCallback on_state_;
  mutable Mutex mutex_;
  mutable Condition changed_;
  std::shared_ptr<NatsConnection> connection_ SUBMIX_GUARDED_BY(mutex_);
  std::string last_error_ SUBMIX_GUARDED_BY(mutex_);
  bool is_first_attempt_over_ SUBMIX_GUARDED_BY(mutex_) = false;
  std::vector<SubjectSubscription*> subscriptions_ SUBMIX_GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace submix::cluster
