// SPDX-License-Identifier: GPL-3.0-or-later
// When a plugin fails too often, and when it has hung.

#include "node/host/crash_record.hpp"
#include "node/host/hang_watch.hpp"

#include <gtest/gtest.h>

namespace submix::host {
namespace {

using namespace std::chrono_literals;

TEST(CrashRecord, CountsThoseOfTheLastTenSeconds) {
  CrashRecord record;
  const LocalTime start(100s);
  EXPECT_EQ(record.add(start), 1U);
  EXPECT_EQ(record.add(start + 4s), 2U);
  EXPECT_EQ(record.add(start + 10s), 2U);
  EXPECT_EQ(record.add(start + 13s), 3U);
  EXPECT_EQ(record.add(start + 13s), 3U);  // it counts no further
  EXPECT_EQ(record.add(start + 40s), 1U);
}

TEST(CrashRecord, ForgetsWhereItIsTold) {
  CrashRecord record;
  const LocalTime start(100s);
  (void)record.add(start);
  (void)record.add(start);
  record.forget();
  EXPECT_EQ(record.add(start), 1U);
}

class HangWatchTest : public ::testing::Test {
 protected:
  HangWatchTest() { watch_.note_frame(1ms); }
  HangWatch watch_{FrameRate{60, 1}};
};

TEST_F(HangWatchTest, AllowsThreeFrameTimesAndNoLessThanATenthOfASecond) {
  EXPECT_EQ(watch_.limit(), 100ms);
  HangWatch slow(FrameRate{10, 1});
  slow.note_frame(1ms);
  EXPECT_EQ(slow.limit(), 300ms);
}

TEST_F(HangWatchTest, HasTheCallersPatience) {
  HangWatch film(FrameRate{60, 1}, 60s);
  film.note_frame(1ms);
  EXPECT_EQ(film.limit(), 60s);
}

TEST_F(HangWatchTest, SeesComputingWithoutEnd) {
  EXPECT_FALSE(watch_.has_hung({.waited = 99ms, .computed = 99ms, .is_computing = true}));
  EXPECT_TRUE(watch_.has_hung({.waited = 100ms, .computed = 100ms, .is_computing = true}));
}

TEST_F(HangWatchTest, SeesWaitingForWhatNeverComes) {
  EXPECT_TRUE(watch_.has_hung({.waited = 100ms, .computed = 1ms, .is_computing = false}));
}

TEST_F(HangWatchTest, IsPatientWhereOtherProgramsKeepItFromComputing) {
  EXPECT_FALSE(watch_.has_hung({.waited = 900ms, .computed = 20ms, .is_computing = true}));
  EXPECT_TRUE(watch_.has_hung({.waited = 1s, .computed = 20ms, .is_computing = true}));
}

TEST_F(HangWatchTest, LearnsThatAPluginIsSlowAndForgetsIt) {
  watch_.note_frame(223ms);
  EXPECT_EQ(watch_.limit(), 892ms);
  for (int i = 0; i < 200; ++i)
    watch_.note_frame(1ms);
  EXPECT_EQ(watch_.limit(), 100ms);
}

TEST_F(HangWatchTest, AllowsTheFirstFrameASecond) {
  EXPECT_EQ(HangWatch(FrameRate{60, 1}).limit(), 1s);
}

TEST_F(HangWatchTest, AllowsItAgainToAnotherHostWhereNoneHasMadeOne) {
  HangWatch watch(FrameRate{60, 1});
  watch.begin_anew();
  EXPECT_EQ(watch.limit(), 1s);
}

TEST_F(HangWatchTest, HoldsAPluginUpNoLongerThatHangsInEachHost) {
  watch_.begin_anew();
  EXPECT_EQ(watch_.limit(), 100ms);
}

TEST_F(HangWatchTest, AllowsAnotherHostForItsFirstFrameWhatThatTakes) {
  HangWatch watch(FrameRate{60, 1});
  watch.note_frame(300ms);
  for (int i = 0; i < 200; ++i)
    watch.note_frame(1ms);
  EXPECT_EQ(watch.limit(), 100ms);
  watch.begin_anew();
  EXPECT_EQ(watch.limit(), 1200ms);
  watch.note_frame(1ms);
  watch.begin_anew();
  EXPECT_EQ(watch.limit(), 1200ms) << "the longest of all";
}

}  // namespace
}  // namespace submix::host
