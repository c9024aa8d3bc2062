// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/base/network.hpp"
#include "common/link/event_limiter.hpp"
#include "common/link/loop.hpp"
#include "common/telemetry/trace.hpp"
#include "common/wire/seal.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace submix::link {

/// What all of a node's streams share: who the node is, its cards, whom to tell, and what time it is.
///
/// Threads  `loop`: as it says. The rest: Immutable, or as it says.
class StreamContext {
 public:
  StreamContext(std::string node_name, wire::Key show_key, EventSink* sink, Loop& net)
      : node(std::move(node_name)), key(show_key), loop(net), events(sink, net.clock()) {}

  [[nodiscard]] LocalTime now() const { return loop.clock().now(); }

  const std::string node;
  const wire::Key key;
  Loop& loop;
  EventLimiter events;
  /// Nanoseconds since 1970; constant once the thread has started.
  std::function<std::chrono::nanoseconds()> time_of_day = [] {
    return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch());
  };
  telemetry::Trace* trace = nullptr;  // constant once the thread has started; null: there is none
  std::string machine;                // see machine_id(); constant once the thread has started
  std::vector<std::string>
      addresses;  // that links leave by; these two: set before the thread starts, then
  std::vector<NetworkInterface> cards;  // Confined (net). As they are now; empty: not known
};

}  // namespace submix::link
