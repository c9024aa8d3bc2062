// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/base/mutex.hpp"
#include "common/base/network.hpp"
#include "common/link/event_limiter.hpp"
#include "common/wire/seal.hpp"

#include <boost/asio/io_context.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace submix::link {

namespace asio = boost::asio;

class ReceiverCore;

/// What all of a node's streams share. Outlives everything that has a socket in it.
///
/// Threads  `io` runs on the thread `net` alone. The receivers' register: Synchronized. The rest: Immutable,
/// or
///          as it says.
class NetContext {
 public:
  NetContext(std::string node_name, wire::Key show_key, EventSink* sink)
      : node(std::move(node_name)), key(show_key), events(sink) {}

  const std::string node;
  const wire::Key key;
  EventLimiter events;
  std::string machine;                  // see machine_id(); constant once the thread has started
  std::vector<std::string> addresses;   // that links leave by; these two: set before the thread starts, then
  std::vector<NetworkInterface> cards;  // Confined (net). As they are now; empty: not known
  asio::io_context io{1};               // a hint that saves locks: one thread runs it

  /// False when there is one of that stream already.
  [[nodiscard]] bool add_receiver(const std::string& stream, std::shared_ptr<ReceiverCore> core)
      SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return receivers_.emplace(stream, std::move(core)).second;
  }
  void remove_receiver(const std::string& stream) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    receivers_.erase(stream);
  }
  [[nodiscard]] std::shared_ptr<ReceiverCore> find_receiver(const std::string& stream)
      SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    const auto found = receivers_.find(stream);
    return found == receivers_.end() ? nullptr : found->second;
  }

 private:
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<ReceiverCore>> receivers_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::link
