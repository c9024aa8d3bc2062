// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/credits.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>

namespace submix::engine {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kCap = 4;

class CreditsTest : public ::testing::Test {
 protected:
  // The number of frames that a source could start now, beyond `started_`.
  std::uint64_t start_all() {
    std::uint64_t count = 0;
    for (; credits_.try_start(started_); ++started_)
      ++count;
    return count;
  }
  // Nothing is ever late and all is ready long before its time.
  void get_used_to_being_early() {
    for (int i = 0; i < 2'000; ++i)
      credits_.note_spare(1s, now_ += 33ms);
  }
  Credits::GetDemand demand() {
    return [this] { return demand_; };
  }

  Credits credits_{kCap, true};
  std::optional<plugin::Demand> demand_ = plugin::Demand{};
  std::uint64_t started_ = 0;
  LocalTime now_{100s};
};

TEST_F(CreditsTest, AtFirstAsManyFramesStartAsTheCapAllows) {
  const auto terminal = credits_.add_terminal(0);
  EXPECT_EQ(start_all(), kCap);
  credits_.complete(terminal);
  EXPECT_EQ(start_all(), 1U);
}

TEST_F(CreditsTest, APatchWithTimeToSpareStartsAFrameWhenTheFrameBeforeHasPassed) {
  const auto terminal = credits_.add_terminal(0);
  get_used_to_being_early();
  EXPECT_EQ(credits_.frames_ahead(), 0U);
  EXPECT_EQ(start_all(), 1U);
  credits_.complete(terminal);
  EXPECT_EQ(start_all(), 1U);
}

TEST_F(CreditsTest, AnEditMakesItStartAsManyFramesAheadAsTheCapAllows) {
  static_cast<void>(credits_.add_terminal(0));
  get_used_to_being_early();
  EXPECT_EQ(start_all(), 1U);
  credits_.start_ahead();
  EXPECT_EQ(start_all(), kCap - 1);
}

TEST_F(CreditsTest, ALateFrameMakesItStartFramesAhead) {
  static_cast<void>(credits_.add_terminal(0));
  get_used_to_being_early();
  credits_.note_spare(-5ms, now_);
  EXPECT_EQ(credits_.frames_ahead(), 1U);
  EXPECT_EQ(start_all(), 2U);
}

TEST_F(CreditsTest, OnlyTheFirstFrameStartsWhileReceiversWantNone) {
  const auto terminal = credits_.add_terminal(0, demand());
  get_used_to_being_early();
  EXPECT_EQ(start_all(), 1U);
  credits_.complete(terminal);
  EXPECT_EQ(start_all(), 0U);
  demand_->frames = 2;
  EXPECT_EQ(start_all(), 2U);
}

TEST_F(CreditsTest, TheTerminalSlotThatWantsLeastDecides) {
  const auto shown = credits_.add_terminal(0);
  const auto sent = credits_.add_terminal(0, demand());
  get_used_to_being_early();
  demand_->frames = 3;
  EXPECT_EQ(start_all(), 1U);
  credits_.complete(sent);
  EXPECT_EQ(start_all(), 0U);
  credits_.complete(shown);
  EXPECT_EQ(start_all(), 1U);
}

TEST_F(CreditsTest, DemandNeverExceedsTheCap) {
  static_cast<void>(credits_.add_terminal(0, demand()));
  demand_->frames = 100;
  EXPECT_EQ(start_all(), kCap);
}

TEST_F(CreditsTest, ASlotThatFollowsNoReceiversWantsAFrameAtATime) {
  static_cast<void>(credits_.add_terminal(0, demand()));
  get_used_to_being_early();
  demand_.reset();
  EXPECT_EQ(start_all(), 1U);
}

TEST_F(CreditsTest, ARemovedSlotWantsNothingAnyLonger) {
  const auto shown = credits_.add_terminal(0);
  const auto sent = credits_.add_terminal(0, demand());
  get_used_to_being_early();
  ASSERT_EQ(start_all(), 1U);
  credits_.complete(shown);
  credits_.complete(sent);
  ASSERT_EQ(start_all(), 0U);
  credits_.end_terminal(sent, 1);
  EXPECT_EQ(start_all(), 1U);
}

TEST_F(CreditsTest, APatchWithoutARateOnlyHasItsCap) {
  Credits credits(kCap, false);
  static_cast<void>(credits.add_terminal(0, demand()));
  for (std::uint64_t frame = 0; frame < kCap; ++frame)
    EXPECT_TRUE(credits.try_start(frame));
  EXPECT_FALSE(credits.try_start(kCap));
}

}  // namespace
}  // namespace submix::engine
