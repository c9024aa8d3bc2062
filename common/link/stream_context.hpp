// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/base/network.hpp"
#include "common/link/event_limiter.hpp"
#include "common/link/loop.hpp"
#include "common/link/stream_keys.hpp"
#include "common/telemetry/trace.hpp"
#include "common/wire/seal.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace submix::link {

/// Shared by all streams of a node: the node's name and keys, its cards, its events, clock and
/// trace.
///
/// Threads  `loop`: see Loop. The rest: Immutable, or as each member says.
class StreamContext {
 public:
  StreamContext(std::string node_name, wire::Key show_key, EventSink* sink, Loop& net)
      : node(std::move(node_name)), keys(show_key), loop(net), events(sink, net.clock()) {}

  [[nodiscard]] LocalTime now() const { return loop.clock().now(); }

  const std::string node;
  StreamKeys keys;
  Loop& loop;
  EventLimiter events;
  /// Nanoseconds since 1970; constant once the thread has started.
  std::function<std::chrono::nanoseconds()> time_of_day = [] {
    return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch());
  };
  telemetry::Trace* trace = nullptr;  // constant once the thread has started; null: no trace
  std::string machine;                // machine_id(); constant once the thread has started
  // Addresses that links leave by. This and `cards` are set before the thread starts, then Confined
  // (net).
  std::vector<std::string> addresses;
  std::vector<NetworkInterface> cards;  // their present state; empty: unknown
};

}  // namespace submix::link
