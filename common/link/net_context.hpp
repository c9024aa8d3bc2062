// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/link/asio_loop.hpp"
#include "common/link/stream_context.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace submix::link {

class ReceiverCore;

/// A StreamContext on Asio's loop, and the receivers that strangers may ask for. Outlives everything that has
/// a socket in it.
///
/// Threads  `io` runs on the thread `net` alone. The receivers' register: Synchronized.
class NetContext : public AsioLoop, public StreamContext {
 public:
  NetContext(std::string node_name, wire::Key show_key, EventSink* sink)
      : StreamContext(std::move(node_name), show_key, sink, *this) {}

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
