// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/tempo.hpp"

#include <gtest/gtest.h>

namespace submix::show {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using namespace std::chrono_literals;

// An evening in 2026.
constexpr milliseconds kEvening = 1'795'000'000'000ms;

TEST(Tempo, IsTheSameForTheSameFrame) {
  EXPECT_EQ(moment_of({}, {30000, 1001}, {30000}), (Moment{1001, 2002, 1001s}));
}

TEST(Tempo, MakesNoJumpWhenItChanges) {
  const Tempo before{.beats_per_minute = 97, .master_speed = 1.3};
  const auto after = changed(before, 180, 0, kEvening);
  EXPECT_EQ(moment_at(after, kEvening), moment_at(before, kEvening));
  EXPECT_EQ(moment_at(after, kEvening + 1h).seconds, moment_at(before, kEvening).seconds);
}

TEST(Tempo, HoldsUntilTheAnnouncedTime) {
  const Tempo first{.beats_per_minute = 97};
  const auto second = changed(first, 120, 2, kEvening);
  const auto third = changed(second, 60, 1, kEvening + 250ms);
  for (const auto time : {kEvening - 1h, kEvening - 1ms})
    EXPECT_EQ(moment_at(third, time), moment_at(first, time)) << time.count();
  for (const auto time : {kEvening, kEvening + 249ms})
    EXPECT_EQ(moment_at(third, time), moment_at(second, time)) << time.count();
}

TEST(Tempo, IsReplacedWhileItHasNotBegun) {
  const Tempo first{.beats_per_minute = 97};
  const auto corrected = changed(changed(first, 120, 2, kEvening), 60, 1, kEvening);
  EXPECT_EQ(corrected, changed(first, 60, 1, kEvening));
  const auto earlier = changed(changed(first, 120, 2, kEvening), 60, 1, kEvening - 1s);
  EXPECT_EQ(earlier, corrected) << "a writer whose clock is behind";
}

TEST(Tempo, KeepsAFewFormerSegments) {
  Tempo tempo;
  for (int i = 1; i <= 20; ++i)
    tempo = changed(tempo, 100 + i, 1, kEvening + i * 250ms);
  ASSERT_EQ(tempo.before.size(), kFormerPacesMax);
  EXPECT_EQ(tempo.before.back().beats_per_minute, 119);
}

TEST(Tempo, HasTheBeatThatSomebodySets) {
  const Tempo before{.beats_per_minute = 120, .master_speed = 1.5};
  const auto synced = with_beat(before, 8, kEvening);
  EXPECT_EQ(moment_at(synced, kEvening).beats, 8);
  EXPECT_EQ(moment_at(synced, kEvening).seconds, moment_at(before, kEvening).seconds);
  EXPECT_EQ(moment_at(synced, kEvening + 1s).beats, 11);
  EXPECT_EQ(moment_at(synced, kEvening - 1ms), moment_at(before, kEvening - 1ms));
  const auto late = with_beat(synced, 0, kEvening - 1s);
  EXPECT_EQ(moment_at(late, kEvening).beats, 3) << "begins where the newest segment begins";
}

TEST(Tempo, IsAnnouncedForAQuarterOfASecondThatComesLaterThanMessages) {
  EXPECT_EQ(announced_after(kEvening), kEvening + 250ms);
  EXPECT_EQ(announced_after(kEvening + 50ms), kEvening + 250ms);
  EXPECT_EQ(announced_after(kEvening + std::chrono::nanoseconds(50'000'001)), kEvening + 500ms);
}

}  // namespace
}  // namespace submix::show
