// SPDX-License-Identifier: GPL-3.0-or-later
// Written by hand: a node's trace is megabytes of a few simple shapes, and no other part of this
// library needs JSON.
#include "common/telemetry/trace_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace submix::telemetry {
namespace {

constexpr std::array<std::string_view, 6> kNames{"working", "starved",  "blocked",
                                                 "sent",    "received", "released"};

/// The show's rules keep names of nodes and slots plain. Other characters are escaped all the same.
std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const bool is_plain = c >= ' ' && c < 0x7f && c != '"' && c != '\\';
    if (is_plain) quoted += c;
    if (!is_plain) quoted += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
  }
  return quoted + "\"";
}

std::int64_t nanoseconds(LocalTime time) {
  return std::chrono::nanoseconds(time.time_since_epoch()).count();
}

/// Microseconds with three decimals. A double would lose the decimals after some weeks of uptime.
std::string microseconds(std::int64_t nanoseconds) {
  return fmt::format("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000);
}

void add_name(std::string& text, std::string_view kind, std::size_t thread, std::string_view name) {
  fmt::format_to(std::back_inserter(text),
                 R"({{"ph":"M","name":"{}","pid":1,"tid":{},"args":{{"name":{}}}}})", kind, thread,
                 in_quotes(name));
}

void add_span(std::string& text, std::size_t thread, const TraceSpan& span, LocalTime now) {
  const auto name = kNames.at(static_cast<std::size_t>(span.kind) % kNames.size());
  const auto begin = nanoseconds(span.begin);
  if (span.kind < TraceKind::sent) {
    const bool is_unfinished = span.end == TraceSpan::kUnfinished;
    const auto end = is_unfinished ? std::max(now, span.begin) : span.end;
    fmt::format_to(
        std::back_inserter(text),
        R"(,{{"ph":"X","name":"{}","pid":1,"tid":{},"ts":{},"dur":{},"args":{{"frame":{}{}}}}})",
        name, thread, microseconds(begin), microseconds(nanoseconds(end) - begin), span.frame,
        is_unfinished ? R"(,"unfinished":true)" : "");
  } else {
    fmt::format_to(
        std::back_inserter(text),
        R"(,{{"ph":"i","s":"t","name":"{}","pid":1,"tid":{},"ts":{},"args":{{"frame":{},"link":{}}}}})",
        name, thread, microseconds(begin), span.frame, span.link);
  }
}

}  // namespace

std::string to_chrome_json(const Trace& trace, const std::string& node, const TraceClock& clock,
                           LocalTime since) {
  std::string text = R"({"displayTimeUnit":"ms","traceEvents":[)";
  add_name(text, "process_name", 0, node);
  std::size_t thread = 0;
  for (const auto& ring : trace.rings()) {
    ++thread;
    text += ",";
    add_name(text, "thread_name", thread, ring->name());
    for (const auto& span : ring->spans(since))
      add_span(text, thread, span, clock.now);
  }
  fmt::format_to(std::back_inserter(text),
                 R"(],"otherData":{{"node":{},"steady_ns":{},"wall_ns":{},"peers":[)",
                 in_quotes(node), nanoseconds(clock.now), clock.wall.count());
  for (const auto& peer : clock.peers) {
    fmt::format_to(std::back_inserter(text), R"({}{{"node":{},"offset_ns":{},"round_trip_ns":{}}})",
                   &peer == clock.peers.data() ? "" : ",", in_quotes(peer.node),
                   peer.offset.count(), peer.round_trip.count());
  }
  return text + "]}}\n";
}

}  // namespace submix::telemetry
