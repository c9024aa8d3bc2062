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

/// A StreamContext on Asio's loop, with a register of the receivers that new connections may ask
/// for. Outlives all objects that own a socket in it.
///
/// Threads  `io` runs on the thread `net` alone. The register of receivers: Synchronized.
class NetContext : public AsioLoop, public StreamContext {
 public:
  NetContext(std::string node_name, wire::Key show_key, EventSink* sink)
      : StreamContext(std::move(node_name), show_key, sink, *this) {}

  /// False when the same stream with the same format is registered already.
  [[nodiscard]] bool add_receiver(const std::shared_ptr<ReceiverCore>& core)
      SUBMIX_EXCLUDES(mutex_);
  void remove_receiver(const ReceiverCore& core) SUBMIX_EXCLUDES(mutex_);
  /// Of two receivers of the stream: the one with the sender's format, else the newer one. Null:
  /// there is none.
  [[nodiscard]] std::shared_ptr<ReceiverCore> find_receiver(const wire::Hello& hello)
      SUBMIX_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::vector<std::shared_ptr<ReceiverCore>> receivers_ SUBMIX_GUARDED_BY(mutex_);  // oldest first
};

}  // namespace submix::link
