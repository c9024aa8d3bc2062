// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the bus.

#include "common/base/mutex.hpp"
#include "common/base/thread.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/nats_connection.hpp"
#include "common/cluster/store_state.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace submix::cluster {

class SubjectSubscription;

/// Makes connections, one after the other, and attaches the subscriptions to each. After a lost
/// connection the next address in the list is tried first.
///
/// Threads  Synchronized. Its own thread connects and checks ten times a second whether the
///          connection lives; callbacks of libnats could run after their object is gone.
class Connector {
 public:
  Connector(BusSettings settings, Bus::StateCallback on_state);
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;
  ~Connector();

  /// Null: there is no connection.
  [[nodiscard]] std::shared_ptr<NatsConnection> connection() const SUBMIX_EXCLUDES(mutex_);
  /// Waits for a connection. Null: asked to stop.
  [[nodiscard]] std::shared_ptr<NatsConnection> wait_for_connection(
      const std::stop_token& stop) const SUBMIX_EXCLUDES(mutex_);
  /// Waits until the first attempt to connect is over.
  [[nodiscard]] Result<void> wait_for_first_attempt() const SUBMIX_EXCLUDES(mutex_);
  /// Why there is no living connection, with the address. Empty: there is a connection.
  [[nodiscard]] std::string last_error() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Error disconnected() const;
  [[nodiscard]] bool is_store_silent() const { return store_->is_silent(); }

  void add(SubjectSubscription& subscription) SUBMIX_EXCLUDES(mutex_);
  void remove(SubjectSubscription& subscription) SUBMIX_EXCLUDES(mutex_);

 private:
  void run(const std::stop_token& stop);
  // Tries each address once. Null: all failed, and the failure is noted.
  [[nodiscard]] std::shared_ptr<NatsConnection> open_any(const std::stop_token& stop)
      SUBMIX_EXCLUDES(mutex_);
  // By each key that may be the server's.
  [[nodiscard]] tl::expected<std::shared_ptr<NatsConnection>, ConnectError> open_at(
      const std::string& url);
  // Reports each state only once: a hanging store ends every connection using the store, and a new
  // connection follows at once.
  void tell(Bus::State state);
  void tell_loss() SUBMIX_EXCLUDES(mutex_);
  void attach(std::shared_ptr<NatsConnection> connection) SUBMIX_EXCLUDES(mutex_);
  void note_failure(std::string message) SUBMIX_EXCLUDES(mutex_);
  void detach() SUBMIX_EXCLUDES(mutex_);
  void pause(const std::stop_token& stop, std::chrono::milliseconds time) const
      SUBMIX_EXCLUDES(mutex_);

  const BusSettings settings_;
  const std::vector<std::string> urls_;
  const Bus::StateCallback on_state_;
  const std::shared_ptr<StoreState> store_ = std::make_shared<StoreState>();
  std::optional<Bus::State> told_;  // Confined (the thread)
  // Confined (the thread). To be tried first; while connected: the connection's own
  std::size_t next_url_ = 0;
  mutable Mutex mutex_;
  mutable Condition changed_;
  std::shared_ptr<NatsConnection> connection_ SUBMIX_GUARDED_BY(mutex_);
  std::string last_error_ SUBMIX_GUARDED_BY(mutex_);
  bool is_first_attempt_over_ SUBMIX_GUARDED_BY(mutex_) = false;
  std::vector<SubjectSubscription*> subscriptions_ SUBMIX_GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace submix::cluster
