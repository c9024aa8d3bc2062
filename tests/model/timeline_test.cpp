// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/timeline.hpp"

#include <gtest/gtest.h>

namespace submix::model {
namespace {

using namespace std::chrono_literals;
using telemetry::TraceKind;

LaneSpan span(std::chrono::nanoseconds begin, std::chrono::nanoseconds end,
              std::uint64_t frame = 0) {
  return {.begin = begin, .end = end, .frame = frame};
}

LaneSpan moment(std::chrono::nanoseconds at) {
  return {.begin = at, .end = at, .frame = 0, .kind = TraceKind::sent};
}

class TraceLaneTest : public ::testing::Test {
 protected:
  TraceLane lane_{.node = "left",
                  .name = "left.glow",
                  .spans = {span(0ms, 10ms, 1), span(20ms, 30ms, 2), moment(50ms)}};
};

TEST_F(TraceLaneTest, HasTheSpanThatReachesIntoARange) {
  const auto found = lane_.between(5ms, 8ms);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().frame, 1U);
}

TEST_F(TraceLaneTest, LeavesOutWhatIsAfterARange) {
  for (const auto& found : lane_.between(0ms, 15ms))
    EXPECT_LE(found.begin, 15ms);
}

TEST_F(TraceLaneTest, FindsWhatLastsAtATime) {
  ASSERT_NE(lane_.at(25ms, 1us), nullptr);
  EXPECT_EQ(lane_.at(25ms, 1us)->frame, 2U);
  EXPECT_EQ(lane_.at(15ms, 1us), nullptr);
}

TEST_F(TraceLaneTest, FindsTheMomentNearby) {
  ASSERT_NE(lane_.at(51ms, 2ms), nullptr);
  EXPECT_TRUE(lane_.at(51ms, 2ms)->is_moment());
  EXPECT_EQ(lane_.at(53ms, 2ms), nullptr);
}

TEST(TraceLane, HasNothingWhereItHasNoSpans) {
  EXPECT_TRUE(TraceLane().between(0ms, 1h).empty());
  EXPECT_EQ(TraceLane().at(0ms, 1h), nullptr);
}

TEST(Timeline, BeginsWithItsFirstSpanAndEndsWithItsLast) {
  Timeline timeline;
  timeline.lanes.push_back({.node = "a", .name = "a", .spans = {span(5s, 6s), span(4s, 5s)}});
  timeline.lanes.push_back({.node = "b", .name = "b", .spans = {span(-1s, 9s)}});
  timeline.settle();
  EXPECT_EQ(timeline.length, 10s);
  EXPECT_EQ(timeline.lanes[0].spans.front().begin, 5s) << "in order";
  EXPECT_EQ(timeline.lanes[1].spans.front().begin, 0s);
}

TEST(Timeline, LeavesOutLanesWithoutSpans) {
  Timeline timeline;
  timeline.lanes.resize(3);
  timeline.settle();
  EXPECT_TRUE(timeline.lanes.empty());
  EXPECT_EQ(timeline.length, 0s);
}

}  // namespace
}  // namespace submix::model
