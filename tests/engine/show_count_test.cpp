// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/show_count.hpp"

#include <gtest/gtest.h>

namespace submix::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using namespace std::chrono_literals;

constexpr FrameRate kRate{50, 1};  // a period of 20 ms
constexpr nanoseconds kEvening = 1'795'000'000s;
constexpr std::uint64_t kFirst = 1'795'000'000ULL * 50;  // the number of the frame at kEvening

class ShowCountTest : public ::testing::Test {
 protected:
  // The frame at position `position` is taken by a source, and shown at once.
  std::uint64_t pass(std::uint64_t position) {
    const auto number = count_.number_of(position, now_);
    count_.shown(position, now_);
    return number.value;
  }
  // Lets frames up to `end` pass at the show's rate.
  void run(std::uint64_t begin, std::uint64_t end) {
    for (auto position = begin; position < end; ++position) {
      static_cast<void>(pass(position));
      now_ += 20ms;
    }
  }

  LocalTime now_{1h};
  std::optional<nanoseconds> offset_ = kEvening - 1h;
  ShowCount count_{kRate, [this](LocalTime local) -> std::optional<nanoseconds> {
                     if (!offset_) return std::nullopt;
                     return local.time_since_epoch() + *offset_;
                   }};
};

TEST(ShowCount, IsThePositionWithoutACluster) {
  ShowCount count(kRate);
  count.shown(70, {});
  EXPECT_EQ(count.number_of(71, {}).value, 71U);
  EXPECT_EQ(count.newest().number, 0U);
  EXPECT_EQ(count.present({}).value, 72U);
}

TEST_F(ShowCountTest, BeginsWithTheFrameOfTheShowAndCountsOn) {
  EXPECT_EQ(pass(0), kFirst);
  EXPECT_EQ(pass(1), kFirst + 1);
  now_ += 5s;
  EXPECT_EQ(count_.number_of(1, now_).value, kFirst + 1) << "settled";
  EXPECT_EQ(count_.newest().number, kFirst);
}

TEST_F(ShowCountTest, ToleratesLateWakeUps) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    const auto late = i % 5 == 4 ? 130ms : 0ms;
    now_ += late;
    EXPECT_EQ(pass(i), kFirst + i);
    now_ += 20ms - late;
  }
}

TEST_F(ShowCountTest, JumpsAtOnceAfterALongDelay) {
  run(0, 10);
  now_ += 10s;
  EXPECT_EQ(pass(10), kFirst + 10) << "settled before anybody knows of the delay";
  now_ += 20ms;
  EXPECT_EQ(pass(11), kFirst + 11 + 500);
  EXPECT_EQ(count_.number_of(9, now_).value, kFirst + 9) << "of the run before";
}

TEST_F(ShowCountTest, JumpsWhenAnErrorStays) {
  run(0, 10);
  now_ += 100ms;
  run(10, 22);
  EXPECT_EQ(pass(22), kFirst + 22);
  now_ += 20ms;
  run(23, 25);
  EXPECT_EQ(pass(25), kFirst + 25 + 5);
}

TEST_F(ShowCountTest, FollowsAClockThatDrifts) {
  for (std::uint64_t i = 0; i < 5000; ++i) {
    static_cast<void>(pass(i));
    now_ += 20ms;
    *offset_ += 20us;  // 1000 times what a clock drifts
    const auto shown = kRate.time_of(count_.number_of(i, now_));
    const auto error = now_.time_since_epoch() + *offset_ - shown;
    ASSERT_LE(std::chrono::abs(error), 80ms) << i;
  }
}

TEST_F(ShowCountTest, FollowsTheClockOnceItIsKnown) {
  offset_.reset();
  EXPECT_EQ(pass(0), 0U);
  EXPECT_EQ(pass(1), 1U);
  offset_ = kEvening - 1h;
  now_ += 40ms;
  EXPECT_EQ(pass(2), 2U);
  now_ += 20ms;
  EXPECT_EQ(pass(3), kFirst + 3);
}

TEST_F(ShowCountTest, DoesNotJudgeFramesOfAnEarlierRun) {
  for (std::uint64_t i = 0; i < 8; ++i)
    static_cast<void>(count_.number_of(i, now_));  // in flight
  now_ += 10s;
  count_.shown(0, now_);
  EXPECT_EQ(count_.number_of(8, now_).value, kFirst + 500 + 8);
  for (std::uint64_t i = 1; i < 8; ++i)
    count_.shown(i, now_ + i * 20ms);
  EXPECT_EQ(count_.number_of(9, now_).value, kFirst + 500 + 9);
}

TEST_F(ShowCountTest, TellsTheFrameOfTheMoment) {
  EXPECT_EQ(count_.present(now_ + 1s).value, kFirst + 50);
}

}  // namespace
}  // namespace submix::engine
