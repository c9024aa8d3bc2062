// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/stream.hpp"

#include "tests/simulation/bench.hpp"

#include <gtest/gtest.h>

namespace submix::simulation {
namespace {

using namespace std::chrono_literals;

class SimulatedStreamTest : public ::testing::Test {
 protected:
  [[nodiscard]] static Stream make(show::InputPolicy policy) {
    auto show = sample::duo();
    show.streams[0].policy = policy;
    return {show, show.streams[0], {{"198.18.0.1", "198.18.1.1"}, {"198.18.0.2", "198.18.1.2"}}};
  }
  [[nodiscard]] telemetry::StreamReading sender() const { return stream_.reading(true, "b"); }
  [[nodiscard]] telemetry::StreamReading receiver() const { return stream_.reading(false, "a"); }
  void fill() {
    while (stream_.may_send())
      stream_.send(now_);
  }
  void expect_balance() const {
    const auto end = sender();
    EXPECT_EQ(end.frames_produced, end.frames + end.frames_queued + end.frames_skipped);
  }

  LocalTime now_ = LocalTime(1h);
  Stream stream_ = make(show::InputPolicy::wait);
};

TEST_F(SimulatedStreamTest, TakesNoMoreThanItsCreditsAndLosesNothing) {
  fill();
  EXPECT_EQ(sender().frames_queued, 4U);
  EXPECT_EQ(sender().credits, 0U);
  stream_.carry(10s);
  EXPECT_EQ(receiver().frames_queued, 4U);
  while (stream_.has_frame())
    stream_.take(now_ += 1ms);
  EXPECT_EQ(receiver().frames, 4U);
  EXPECT_EQ(sender().frames, 4U);
  expect_balance();
}

TEST_F(SimulatedStreamTest, SharesAFrameOutByTheSpeedsOfItsLinks) {
  stream_.links()[0].set_speed(0.1);
  for (int i = 0; i < 200; ++i) {
    fill();
    stream_.carry(5ms);
    while (stream_.has_frame())
      stream_.take(now_);
  }
  const auto links = sender().links;
  EXPECT_NEAR(static_cast<double>(links[1].bytes) / static_cast<double>(links[0].bytes), 10, 0.1);
  EXPECT_GT(links[0].idle, links[0].blocked) << "its queue is on the way, not at the sender";
  EXPECT_GT(links[0].segments_retransmitted, 0U);
  EXPECT_EQ(links[1].segments_retransmitted, 0U);
  EXPECT_GT(links[0].round_trip, links[1].round_trip);
}

TEST_F(SimulatedStreamTest, LetsFramesGiveWayByItsPolicy) {
  stream_ = make(show::InputPolicy::latest);
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(stream_.may_send());
    stream_.send(now_);
  }
  EXPECT_EQ(sender().frames_skipped, 6U);
  expect_balance();
}

TEST_F(SimulatedStreamTest, IsPassedByOnceItHasHeldUpOthersForItsBudget) {
  fill();
  for (int i = 0; i < 100; ++i)
    stream_.hold_up(5ms, true);
  EXPECT_TRUE(stream_.may_send());
  stream_.send(now_);
  EXPECT_FALSE(sender().detached.empty());
  EXPECT_EQ(sender().epochs[0].frames_skipped_detached, 1U);
  expect_balance();
}

TEST_F(SimulatedStreamTest, IsWaitedForWithoutEndWhereNobodyElseIsHeldUp) {
  fill();
  stream_.hold_up(1h, false);
  EXPECT_FALSE(stream_.may_send());
}

TEST_F(SimulatedStreamTest, BeginsANewEpochWithItsSender) {
  fill();
  stream_.carry(1s);
  stream_.take(now_);
  stream_.restart_sender();
  EXPECT_EQ(sender().epoch, 2U);
  EXPECT_EQ(sender().frames_produced, 0U);
  ASSERT_EQ(receiver().epochs.size(), 2U);
  EXPECT_EQ(receiver().epochs[0].next_frame, 1U);
  EXPECT_EQ(receiver().frames, 1U) << "what came of the old epoch came";
}

TEST_F(SimulatedStreamTest, GoesOnBehindItsPredecessorWithANewReceiver) {
  fill();
  stream_.carry(1s);
  stream_.take(now_);
  stream_.restart_receiver();
  EXPECT_EQ(receiver().epochs[0].first_frame, 1U);
  EXPECT_EQ(receiver().frames, 0U);
  EXPECT_EQ(sender().frames_queued, 3U) << "they are sent again";
}

TEST_F(SimulatedStreamTest, CarriesNothingWhileAnEndIsDead) {
  fill();
  stream_.set_ends_alive(true, false);
  stream_.carry(1s);
  EXPECT_FALSE(stream_.has_frame());
  EXPECT_EQ(sender().links[0].state, telemetry::LinkState::connecting);
  EXPECT_FALSE(sender().links[0].error.empty());
  stream_.set_ends_alive(true, true);
  EXPECT_EQ(sender().links[0].reconnects, 1U);
}

}  // namespace
}  // namespace submix::simulation
