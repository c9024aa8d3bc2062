// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/connector.hpp"

#include "common/cluster/subject_subscription.hpp"

#include <utility>

namespace submix::cluster {
namespace {

constexpr std::chrono::milliseconds kLookInterval{100};   // how long a lost connection goes unnoticed
constexpr std::chrono::milliseconds kRetryInterval{250};  // a returning server is found within this time

}  // namespace

Connector::Connector(BusSettings settings, Bus::StateCallback on_state)
    : settings_(std::move(settings)), on_state_(std::move(on_state)) {
  thread_ = start_thread("bus", [this](const std::stop_token& stop) { run(stop); });
}

Connector::~Connector() {
  thread_.request_stop();
  thread_.join();
  detach();
}

void Connector::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    auto connection = NatsConnection::open(settings_);
    if (!connection) {
      note_failure(std::move(connection.error().message));
      pause(stop, kRetryInterval);
      continue;
    }
    attach(*connection);
    if (on_state_) on_state_(Bus::State::connected);
    while (!stop.stop_requested() && (*connection)->is_alive())
      pause(stop, kLookInterval);
    if (stop.stop_requested()) return;
    detach();
    note_failure(fmt::format("the connection to NATS at {} is lost; trying to connect again", settings_.url));
    if (on_state_) on_state_(Bus::State::lost);
  }
}

void Connector::attach(std::shared_ptr<NatsConnection> connection) {
  MutexLock lock(mutex_);
  connection_ = std::move(connection);
  last_error_.clear();
  is_first_attempt_over_ = true;
  for (auto* subscription : subscriptions_)
    subscription->attach(*connection_);
  changed_.notify_all();
}

void Connector::detach() {
  std::shared_ptr<NatsConnection> last;
  MutexLock lock(mutex_);
  last.swap(connection_);
  if (!last) return;
  for (auto* subscription : subscriptions_)
    subscription->detach(*last);
}

void Connector::note_failure(std::string message) {
  MutexLock lock(mutex_);
  last_error_ = std::move(message);
  is_first_attempt_over_ = true;
  changed_.notify_all();
}

void Connector::pause(const std::stop_token& stop, std::chrono::milliseconds time) const {
  MutexLock lock(mutex_);
  changed_.wait_for(mutex_, stop, time, [&] { return stop.stop_requested(); });
}

std::shared_ptr<NatsConnection> Connector::connection() const {
  MutexLock lock(mutex_);
  return connection_;
}

std::shared_ptr<NatsConnection> Connector::wait_for_connection(const std::stop_token& stop) const {
  MutexLock lock(mutex_);
  changed_.wait(mutex_, stop,
                [this]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS { return connection_ && connection_->is_alive(); });
  return stop.stop_requested() ? nullptr : connection_;
}

Result<void> Connector::wait_for_first_attempt() const {
  MutexLock lock(mutex_);
  while (!is_first_attempt_over_)
    changed_.wait(mutex_);
  if (!connection_) return tl::unexpected(Error{last_error_});
  return {};
}

std::string Connector::last_error() const {
  MutexLock lock(mutex_);
  return last_error_;
}

Error Connector::disconnected() const {
  auto reason = last_error();
  return {reason.empty() ? fmt::format("NATS at {}: not connected yet", settings_.url) : std::move(reason)};
}

void Connector::add(SubjectSubscription& subscription) {
  MutexLock lock(mutex_);
  subscriptions_.push_back(&subscription);
  if (connection_) subscription.attach(*connection_);
}

void Connector::remove(SubjectSubscription& subscription) {
  MutexLock lock(mutex_);
  std::erase(subscriptions_, &subscription);
  if (connection_) subscription.detach(*connection_);
}

}  // namespace submix::cluster
