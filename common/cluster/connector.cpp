// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/connector.hpp"

#include "common/base/log.hpp"
#include "common/cluster/address.hpp"
#include "common/cluster/followed_key.hpp"
#include "common/cluster/subject_subscription.hpp"

#include <fmt/ranges.h>

#include <string_view>
#include <utility>

namespace submix::cluster {
namespace {

// How long a lost connection may go unnoticed.
constexpr std::chrono::milliseconds kLookInterval{100};
// A returning server is found within this time.
constexpr std::chrono::milliseconds kRetryInterval{250};

constexpr std::string_view kRemedy =
    "start one with \"submix desk\" or \"submix nats\", or say where it is with --nats URL";
constexpr std::string_view kStoreWasSilent =
    "the store of NATS did not answer before: is the disk full where NATS keeps its state?";

}  // namespace

Connector::Connector(BusSettings settings, Bus::StateCallback on_state)
    : settings_(std::move(settings)),
      urls_(parse_urls(settings_.url)
                .value_or(std::vector<std::string>())),  // Bus::check() has ruled out errors
      on_state_(std::move(on_state)) {
  thread_ = start_thread("bus", [this](const std::stop_token& stop) { run(stop); });
}

Connector::~Connector() {
  thread_.request_stop();
  thread_.join();
  detach();
}

void Connector::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const auto connection = open_any(stop);
    if (connection == nullptr) {
      if (told_) tell(Bus::State::lost);
      pause(stop, kRetryInterval);
      continue;
    }
    if (settings_.on_rights) settings_.on_rights(connection->rights());
    attach(connection);
    while (!stop.stop_requested() && connection->is_alive()) {
      tell(store_->is_silent() ? Bus::State::store_silent : Bus::State::connected);
      pause(stop, kLookInterval);
    }
    if (stop.stop_requested()) return;
    detach();
    tell_loss();
    if (!store_->is_silent()) tell(Bus::State::lost);
  }
}

void Connector::tell(Bus::State state) {
  if (told_ == state) return;
  told_ = state;
  if (on_state_) on_state_(state);
}

std::shared_ptr<NatsConnection> Connector::open_any(const std::stop_token& stop) {
  std::vector<std::string> failures;
  bool is_key_wrong = false;
  for (std::size_t tried = 0; tried < urls_.size() && !stop.stop_requested(); ++tried) {
    const auto& url = urls_[next_url_];
    auto connection = open_at(url);
    if (connection && urls_.size() > 1) log::info("NATS answers at {}", url);
    if (connection) return *std::move(connection);
    failures.push_back(std::move(connection.error().message));
    is_key_wrong = is_key_wrong || connection.error().is_key_wrong;
    next_url_ = (next_url_ + 1) % urls_.size();
  }
  // The desk may have shut a PC out while this one was away.
  if (is_key_wrong && settings_.followed && settings_.followed->look_for_newer())
    return open_any(stop);
  const auto reasons = fmt::format("{}", fmt::join(failures, "; "));
  note_failure(is_key_wrong ? reasons : fmt::format("{}; {}", reasons, kRemedy));
  return nullptr;
}

// An offered key first: the server that lacks it says so at once.
tl::expected<std::shared_ptr<NatsConnection>, ConnectError> Connector::open_at(
    const std::string& url) {
  if (!settings_.followed) return NatsConnection::open(settings_, url, store_);
  const auto keys = settings_.followed->keys();
  auto settings = settings_;
  for (const auto& key : {keys.offered, std::optional(keys.used)}) {
    if (!key) continue;
    settings.key = key;
    auto opened = NatsConnection::open(settings, url, store_, settings_.followed->logins(*key));
    if (opened) settings_.followed->note_proven(*key);
    if (opened || !opened.error().is_key_wrong || key == keys.used) return opened;
  }
  return tl::unexpected(ConnectError{});  // not reached: one of the keys is used
}

void Connector::tell_loss() {
  const auto& url = urls_[next_url_];
  next_url_ = (next_url_ + 1) % urls_.size();
  if (urls_.size() > 1)
    log::warning("the connection to NATS at {} is lost; trying {} first", url, urls_[next_url_]);
  note_failure(fmt::format("the connection to NATS at {} is lost; trying to connect again", url));
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
  changed_.wait(mutex_, stop, [this]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS {
    return connection_ && connection_->is_alive();
  });
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
  if (connection_ != nullptr && connection_->is_alive()) return {};
  if (connection_ != nullptr)
    return fmt::format("the connection to NATS at {} is lost", settings_.url);
  if (last_error_.empty()) return fmt::format("NATS at {} has not answered yet", settings_.url);
  return last_error_;
}

Error Connector::disconnected() const {
  auto reason = last_error();
  if (reason.empty()) reason = fmt::format("NATS at {} answers only now; try again", settings_.url);
  // A silent store ends the connections that use it.
  if (is_store_silent()) reason += fmt::format("; {}", kStoreWasSilent);
  return {std::move(reason)};
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
