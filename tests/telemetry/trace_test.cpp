// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/telemetry/trace.hpp"
#include "common/telemetry/trace_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <atomic>
#include <thread>

namespace submix::telemetry {
namespace {

using namespace std::chrono_literals;

LocalTime at(std::chrono::nanoseconds time) {
  return LocalTime(time);
}

TraceSpan span(std::uint64_t frame, std::chrono::nanoseconds begin, std::chrono::nanoseconds time) {
  return {at(begin), at(begin + time), frame};
}

TEST(TraceRing, KeepsTheLatestSpans) {
  TraceRing ring("left.clip");
  EXPECT_TRUE(ring.spans().empty());
  for (std::uint64_t i = 0; i < TraceRing::kKept + 5; ++i)
    ring.add(span(i, i * 1ms, 1ms));
  const auto spans = ring.spans();
  ASSERT_EQ(spans.size(), TraceRing::kKept);
  EXPECT_EQ(spans.front(), span(5, 5ms, 1ms));
  EXPECT_EQ(spans.back(), span(TraceRing::kKept + 4, (TraceRing::kKept + 4) * 1ms, 1ms));
}

TEST(TraceRing, TellsThoseThatEndedAtATimeOrLater) {
  TraceRing ring("left.clip");
  for (std::uint64_t i = 0; i < 10; ++i)
    ring.add(span(i, i * 1s, 1s));
  const auto spans = ring.spans(at(9s));
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans.front().frame, 8U);
}

TEST(TraceRing, KeepsAllOfASpan) {
  TraceRing ring("stream left, sent");
  const TraceSpan sent{at(1ns), at(1ns), ~std::uint64_t{0}, TraceKind::released, 7};
  ring.add(sent);
  EXPECT_EQ(ring.spans(), std::vector<TraceSpan>{sent});
}

TEST(TraceRing, ShowsWhatHasNotEndedAsTheLastOne) {
  TraceRing ring("left.clip");
  ring.begin({at(1s), TraceSpan::kUnfinished, 7});
  EXPECT_EQ(ring.spans(at(9s)), (std::vector<TraceSpan>{{at(1s), TraceSpan::kUnfinished, 7}}));
  ring.end(at(2s));
  EXPECT_EQ(ring.spans(), std::vector<TraceSpan>{span(7, 1s, 1s)});
  for (std::uint64_t i = 0; i < TraceRing::kKept; ++i)
    ring.add(span(i, i * 1ms, 1ms));
  EXPECT_EQ(ring.spans().size(), TraceRing::kKept) << "what lies at the next place is of long ago";
}

// One span in 10,000 lasts until a whole look at the ring has seen it. Otherwise hardly any span
// would be seen before it has ended.
TEST(TraceRing, NeverMixesWhatHasNotEndedWithAnother) {
  TraceRing ring("left.clip");
  std::atomic<int> looks = 0;
  std::jthread writer([&](const std::stop_token& stop) {
    for (std::uint64_t i = 1; !stop.stop_requested(); ++i) {
      ring.begin({at(i * 1ns), TraceSpan::kUnfinished, i, TraceKind::starved,
                  static_cast<std::uint32_t>(i % 1000)});
      // the first look may have begun before this span
      for (const int until = looks + 2; i % 10'000 == 0 && looks < until;) {
        if (stop.stop_requested()) return;
        std::this_thread::yield();
      }
      ring.end(at(i * 1ns));
    }
  });
  for (std::size_t unfinished = 0; unfinished < 50; ++looks) {
    for (const auto& each : ring.spans()) {
      ASSERT_EQ(each.begin, at(each.frame * 1ns));
      ASSERT_EQ(each.link, each.frame % 1000);
      const bool has_ended = each.end != TraceSpan::kUnfinished;
      ASSERT_TRUE(!has_ended || each.end == each.begin);
      unfinished += has_ended ? 0 : 1;
    }
  }
}

TEST(TraceRing, NeverShowsASpanThatIsHalfOverwritten) {
  TraceRing ring("left.clip");
  std::jthread writer([&](const std::stop_token& stop) {
    for (std::uint64_t i = 0; !stop.stop_requested(); ++i)
      ring.add(
          {at(i * 1ns), at(i * 1ns), i, TraceKind::sent, static_cast<std::uint32_t>(i % 1000)});
  });
  while (ring.spans().empty()) {
  }
  for (int look = 0; look < 300; ++look) {
    std::uint64_t next = 0;
    for (const auto& each : ring.spans()) {
      ASSERT_EQ(each.begin, at(each.frame * 1ns));
      ASSERT_EQ(each.end, each.begin);
      ASSERT_EQ(each.link, each.frame % 1000);
      ASSERT_GE(each.frame, next);
      next = each.frame + 1;
    }
  }
}

TEST(Trace, ForgetsARingWhoseWriterIsGone) {
  Trace trace;
  auto first = trace.open("left.clip");
  const auto second = trace.open("left.out");
  EXPECT_EQ(trace.rings().size(), 2U);
  first.reset();
  ASSERT_EQ(trace.rings().size(), 1U);
  EXPECT_EQ(trace.rings()[0]->name(), "left.out");
}

TEST(Trace, NamesWhoTookLongestForAFrame) {
  Trace trace;
  const auto clip = trace.open("left.clip", true);
  const auto glow = trace.open("left.glow");
  const auto other = trace.open("leftover.x");
  clip->add(span(7, 0ms, 5ms));
  glow->add(span(7, 5ms, 4ms));
  glow->add({at(9ms), at(90ms), 7, TraceKind::starved});
  glow->add(span(7, 90ms, 4ms));
  glow->add(span(8, 94ms, 400ms));
  other->add(span(7, 0ms, 1s));
  const auto longest = find_longest_turn(trace, "left", 7);
  EXPECT_EQ(longest.name, "left.glow") << "in two pieces";
  EXPECT_EQ(longest.time, 8ms);
  clip->add({at(5ms), at(95ms), 7, TraceKind::starved});
  EXPECT_EQ(find_longest_turn(trace, "left", 7).name, "left.clip")
      << "a source that waits is waited for";
  EXPECT_EQ(find_longest_turn(trace, "left", 7).kind, TraceKind::starved);
  EXPECT_TRUE(find_longest_turn(trace, "left", 9).name.empty());
}

TEST(Trace, MarksInItsJsonWhatHasNotEndedAndLetsItLastUntilNow) {
  Trace trace;
  const auto clip = trace.open("left.clip");
  clip->begin({at(2s), TraceSpan::kUnfinished, 7, TraceKind::blocked});
  const auto json =
      nlohmann::json::parse(to_chrome_json(trace, "left", {at(5s), 9s, {}}, LocalTime(at(4s))));
  const auto& span = json["traceEvents"][2];
  EXPECT_EQ(span["name"], "blocked");
  EXPECT_EQ(span["dur"], 3e6);
  EXPECT_EQ(span["args"]["unfinished"], true);
}

TEST(Trace, IsJsonThatChromeReads) {
  Trace trace;
  const auto clip = trace.open("left.\"clip\"");
  const auto sent = trace.open("stream left, sent");
  clip->add(span(7, 1'234'567ns, 2us));
  sent->add({at(2ms), at(2ms), 3, TraceKind::sent, 1});
  const auto json = nlohmann::json::parse(
      to_chrome_json(trace, "left", {at(5s), 9s, {{"mix", -3us, 200us}}}, LocalTime::min()));
  const auto& events = json["traceEvents"];
  ASSERT_EQ(events.size(), 5U);
  EXPECT_EQ(events[0]["args"]["name"], "left");
  EXPECT_EQ(events[1]["name"], "thread_name");
  EXPECT_EQ(events[1]["args"]["name"], "left.\"clip\"");
  EXPECT_EQ(events[2]["ph"], "X");
  EXPECT_EQ(events[2]["name"], "working");
  EXPECT_EQ(events[2]["ts"], 1234.567);
  EXPECT_EQ(events[2]["dur"], 2.0);
  EXPECT_EQ(events[2]["args"]["frame"], 7);
  EXPECT_EQ(events[2]["tid"], events[1]["tid"]);
  EXPECT_EQ(events[4]["ph"], "i");
  EXPECT_EQ(events[4]["args"]["link"], 1);
  EXPECT_EQ(json["otherData"]["peers"][0]["offset_ns"], -3000);
}

}  // namespace
}  // namespace submix::telemetry
