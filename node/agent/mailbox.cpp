// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/mailbox.hpp"

#include <utility>

namespace submix::agent {

void Mailbox::put(cluster::Revisioned<cluster::DesiredShow> show) {
  MutexLock lock(mutex_);
  news_.show = std::move(show);
  is_empty_ = false;
  filled_.notify_one();
}

void Mailbox::put(cluster::Revisioned<cluster::NodeReport> report) {
  MutexLock lock(mutex_);
  auto& latest = news_.reports[report.value.node];
  latest = std::move(report);
  is_empty_ = false;
  filled_.notify_one();
}

void Mailbox::put_plugin(std::string id) {
  MutexLock lock(mutex_);
  news_.plugins.insert(std::move(id));
  is_empty_ = false;
  filled_.notify_one();
}

void Mailbox::put_reconnected() {
  MutexLock lock(mutex_);
  news_.is_reconnected = true;
  is_empty_ = false;
  filled_.notify_one();
}

void Mailbox::wake() {
  MutexLock lock(mutex_);
  is_empty_ = false;
  filled_.notify_one();
}

Mailbox::News Mailbox::take_for(std::chrono::milliseconds patience, std::stop_token stop) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  const std::stop_callback wake(stop, [this] { filled_.notify_one(); });
  MutexLock lock(mutex_);
  while (is_empty_ && !stop.stop_requested()) {
    if (filled_.wait_until(mutex_, deadline) == std::cv_status::timeout) break;
  }
  is_empty_ = true;
  return std::exchange(news_, News());
}

}  // namespace submix::agent
