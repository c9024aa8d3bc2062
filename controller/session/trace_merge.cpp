// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/trace_merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace submix::session {
namespace {

using model::to_string;
using Json = nlohmann::ordered_json;
using std::chrono::nanoseconds;

/// Another node's clock minus the own clock.
struct PeerClock {
  std::string node;
  nanoseconds offset;
  nanoseconds round_trip;
};

struct NodeTrace {
  Json json;
  std::string node;
  nanoseconds steady{0};
  nanoseconds wall{0};
  std::vector<PeerClock> peers;
  std::optional<nanoseconds> shift;  // added to the node's times; empty: not known yet
  nanoseconds error{0};              // largest error of `shift`
};

// A node's text is a peer's bytes: a missing value or a wrong type means that it is no trace.
Result<NodeTrace> read(const std::string& text) {
  NodeTrace trace;
  trace.json = Json::parse(text, nullptr, false);
  try {
    const auto& other = trace.json.at("otherData");
    trace.node = other.at("node").get<std::string>();
    trace.steady = nanoseconds(other.at("steady_ns").get<std::int64_t>());
    trace.wall = nanoseconds(other.at("wall_ns").get<std::int64_t>());
    for (const auto& peer : other.at("peers")) {
      trace.peers.push_back({peer.at("node").get<std::string>(),
                             nanoseconds(peer.at("offset_ns").get<std::int64_t>()),
                             nanoseconds(peer.at("round_trip_ns").get<std::int64_t>())});
    }
    for (const auto& event : trace.json.at("traceEvents")) {
      if (event.at("ph") != "M") static_cast<void>(event.at("ts").get<double>());
    }
  } catch (const Json::exception& error) {
    return fail("{} bytes are no trace of a node: {}", text.size(), error.what());
  }
  return trace;
}

// Passes the shift from a node whose shift is known to one without, along a stream that has
// measured both clocks.
bool follow_a_stream(std::vector<NodeTrace>& traces) {
  for (auto& sender : traces) {
    for (const auto& peer : sender.peers) {
      const auto receiver = std::find_if(traces.begin(), traces.end(),
                                         [&](const auto& each) { return each.node == peer.node; });
      if (receiver == traces.end() || sender.shift.has_value() == receiver->shift.has_value())
        continue;
      auto& from = sender.shift ? sender : *receiver;
      auto& to = sender.shift ? *receiver : sender;
      to.shift = *from.shift + (sender.shift ? -peer.offset : peer.offset);
      to.error = from.error + peer.round_trip / 2;
      return true;
    }
  }
  return false;
}

// Exact to a nanosecond. A double of microseconds since a machine's start is not.
void move_event(Json& event, nanoseconds shift, nanoseconds origin, std::size_t process) {
  event["pid"] = process;
  if (event.at("ph") == "M") return;
  const auto whole = std::llround(event.at("ts").get<double>() * 1000);
  event["ts"] = static_cast<double>(whole + (shift - origin).count()) / 1000;
}

telemetry::TraceKind kind_of(const std::string& name) {
  using Kind = telemetry::TraceKind;
  for (const auto kind :
       {Kind::starved, Kind::blocked, Kind::sent, Kind::received, Kind::released}) {
    if (name == to_string(kind)) return kind;
  }
  return Kind::working;
}

/// One node's lanes, made of its events, whose times are on the common clock already.
class Lanes {
 public:
  Lanes(std::string node, model::Timeline& timeline)
      : node_(std::move(node)), timeline_(timeline) {}

  void add(const Json& event) {
    const auto thread = event.value("tid", std::int64_t{0});
    if (event.at("ph") == "M") {
      if (event.value("name", "") == "thread_name")
        lane_of(thread).name = event.at("args").value("name", "");
      return;
    }
    const auto begin = microseconds(event.at("ts").get<double>());
    const auto args = event.value("args", Json::object());
    lane_of(thread).spans.push_back({.begin = begin,
                                     .end = begin + microseconds(event.value("dur", 0.0)),
                                     .frame = args.value("frame", std::uint64_t{0}),
                                     .kind = kind_of(event.value("name", "")),
                                     .link = args.value("link", std::uint32_t{0})});
  }

 private:
  static nanoseconds microseconds(double time) { return nanoseconds(std::llround(time * 1000)); }

  model::TraceLane& lane_of(std::int64_t thread) {
    const auto [place, is_new] = lanes_.try_emplace(thread, timeline_.lanes.size());
    if (is_new)
      timeline_.lanes.push_back(
          {.node = node_, .name = fmt::format("thread {}", thread), .spans = {}});
    return timeline_.lanes[place->second];
  }

  std::string node_;
  model::Timeline& timeline_;
  std::map<std::int64_t, std::size_t> lanes_;
};

MergedTrace join(std::vector<NodeTrace>& traces, std::vector<std::string> by_wall_clock) {
  MergedTrace merged;
  merged.reference = traces.front().node;
  merged.by_wall_clock = std::move(by_wall_clock);
  const auto origin = traces.front().steady - std::chrono::hours(1);  // so that times are short
  auto events = Json::array();
  auto nodes = Json::array();
  for (std::size_t i = 0; i < traces.size(); ++i) {
    auto& trace = traces[i];
    Lanes lanes(trace.node, merged.timeline);
    for (auto& event : trace.json["traceEvents"]) {
      move_event(event, *trace.shift, origin, i + 1);
      merged.spans += event["ph"] == "M" ? 0U : 1U;
      lanes.add(event);
      events.push_back(std::move(event));
    }
    const bool is_by_wall =
        std::ranges::find(merged.by_wall_clock, trace.node) != merged.by_wall_clock.end();
    nodes.push_back({{"node", trace.node},
                     {"clock", is_by_wall ? "wall" : "stream"},
                     {"error_ns", trace.error.count()}});
  }
  merged.text = Json{{"displayTimeUnit", "ms"},
                     {"traceEvents", std::move(events)},
                     {"otherData", {{"reference", merged.reference}, {"nodes", std::move(nodes)}}}}
                    .dump(-1, ' ', false, Json::error_handler_t::replace);
  return merged;
}

}  // namespace

Result<MergedTrace> merge_traces(const std::vector<std::string>& texts) {
  std::vector<NodeTrace> traces;
  for (const auto& text : texts) {
    auto trace = read(text);
    SUBMIX_TRY(trace);
    traces.push_back(std::move(*trace));
  }
  if (traces.empty()) return fail("there is no trace to merge");
  const auto& first = traces.front();
  std::vector<std::string> by_wall_clock;
  traces.front().shift = nanoseconds(0);
  for (;;) {
    if (follow_a_stream(traces)) continue;
    const auto lost =
        std::find_if(traces.begin(), traces.end(), [](const auto& each) { return !each.shift; });
    if (lost == traces.end()) break;
    lost->shift = (lost->wall - lost->steady) - (first.wall - first.steady);
    by_wall_clock.push_back(lost->node);
  }
  nanoseconds error{0};
  for (const auto& trace : traces)
    error = std::max(error, trace.error);
  try {
    auto merged = join(traces, std::move(by_wall_clock));
    merged.error = merged.timeline.error = error;
    merged.timeline.reference = merged.reference;
    merged.timeline.by_wall_clock = merged.by_wall_clock;
    merged.timeline.settle();
    return merged;
  } catch (const Json::exception& wrong) {
    return fail("a node's trace cannot be read: {}", wrong.what());
  }
}

}  // namespace submix::session
