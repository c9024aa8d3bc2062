// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/link/asio_loop.hpp"
#include "common/link/stream_context.hpp"
#include "common/wire/message.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

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

  /// False when there is one of that stream and format already.
  [[nodiscard]] bool add_receiver(const std::shared_ptr<ReceiverCore>& core)
      SUBMIX_EXCLUDES(mutex_);
  void remove_receiver(const ReceiverCore& core) SUBMIX_EXCLUDES(mutex_);
  /// Of two of the stream the one whose format is the sender's, or the newest; null: there is none.
  [[nodiscard]] std::shared_ptr<ReceiverCore> find_receiver(const wire::Hello& hello)
      SUBMIX_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::vector<std::shared_ptr<ReceiverCore>> receivers_
      SUBMIX_GUARDED_BY(mutex_);  // the oldest first
};

}  // namespace submix::link
