// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/trace_merge.hpp"

#include "common/telemetry/trace_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace submix::session {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

/// A node that did one thing for frame 1, ten seconds after its machine started.
std::string trace_of(const std::string& node, std::chrono::nanoseconds wall,
                     std::vector<telemetry::TraceClock::Peer> peers = {}) {
  telemetry::Trace trace;
  const auto ring = trace.open(node + ".slot");
  ring->add({LocalTime(10s), LocalTime(11s), 1});
  return telemetry::to_chrome_json(trace, node, {LocalTime(12s), wall, std::move(peers)},
                                   LocalTime::min());
}

/// When each node's span began, relative to the first node's span.
std::map<std::string, double> begins_of(const MergedTrace& merged) {
  const auto json = nlohmann::json::parse(merged.text);
  std::map<int, std::string> names;
  std::map<std::string, double> begins;
  for (const auto& event : json["traceEvents"]) {
    if (event["name"] == "process_name") names[event["pid"]] = event["args"]["name"];
    if (event["ph"] == "X") begins[names.at(event["pid"])] = event["ts"];
  }
  const auto first = begins.at(merged.reference);
  for (auto& [name, begin] : begins)
    begin -= first;
  return begins;
}

TEST(MergeTraces, PutsAllOnTheClockOfTheFirstByWhatStreamsHaveMeasured) {
  // right's clock is 3 s ahead of left's; mix's clock is 1 s behind right's.
  const auto merged =
      merge_traces({trace_of("left", 100s, {{"right", 3s, 200us}}), trace_of("mix", 100s),
                    trace_of("right", 100s, {{"mix", -1s, 100us}})});
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->reference, "left");
  EXPECT_EQ(merged->error, 150us);
  EXPECT_EQ(merged->spans, 3U);
  EXPECT_TRUE(merged->by_wall_clock.empty());
  const auto begins = begins_of(*merged);
  EXPECT_DOUBLE_EQ(begins.at("right"), -3e6);
  EXPECT_DOUBLE_EQ(begins.at("mix"), -2e6);
}

TEST(MergeTraces, FollowsAStreamAgainstItsDirection) {
  const auto merged =
      merge_traces({trace_of("mix", 100s), trace_of("left", 100s, {{"mix", 7s, 1us}})}).value();
  EXPECT_DOUBLE_EQ(begins_of(merged).at("left"), 7e6);
}

TEST(MergeTraces, PlacesANodeWithoutAStreamByTheTimeOfDayAndSaysSo) {
  const auto merged = merge_traces({trace_of("left", 100s), trace_of("alone", 105s),
                                    trace_of("b", 0s, {{"alone", 1s, 1us}})})
                          .value();
  EXPECT_THAT(merged.by_wall_clock, ElementsAre("alone"));
  EXPECT_DOUBLE_EQ(begins_of(merged).at("alone"), 5e6);
  EXPECT_DOUBLE_EQ(begins_of(merged).at("b"), 6e6);
  const auto nodes = nlohmann::json::parse(merged.text)["otherData"]["nodes"];
  EXPECT_EQ(nodes[1]["clock"], "wall");
  EXPECT_EQ(nodes[2]["clock"], "stream");
}

TEST(MergeTraces, RefusesWhatIsNoTraceOfANode) {
  EXPECT_FALSE(merge_traces({}));
  for (const auto* bad :
       {"", "{}", "[]", R"({"traceEvents":[],"otherData":{"node":1}})",
        R"({"traceEvents":7,"otherData":{"node":"a","steady_ns":1,"wall_ns":1,"peers":[]}})",
        R"({"traceEvents":[{"ph":"X","ts":"1"}],"otherData":{"node":"a","steady_ns":1,)"
        R"("wall_ns":1,"peers":[]}})"}) {
    EXPECT_FALSE(merge_traces({trace_of("left", 1s), bad})) << bad;
  }
}

}  // namespace
}  // namespace submix::session
