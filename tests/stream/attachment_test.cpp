// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/attachment.hpp"

#include <gtest/gtest.h>

namespace submix::stream {
namespace {

using namespace std::chrono_literals;

constexpr auto kBudget = 500ms;

LocalTime at(std::chrono::milliseconds time) {
  return LocalTime(time);
}

TEST(Attachment, LastsForEverWhileNobodyElseWaits) {
  Attachment attachment(3);
  for (int hour = 0; hour < 100; ++hour)
    EXPECT_FALSE(attachment.delay(false, at(std::chrono::hours(hour)), kBudget));
  EXPECT_TRUE(attachment.is_attached());
}

TEST(Attachment, EndsWhenOthersHaveWaitedForThePauseBudget) {
  Attachment attachment(3);
  EXPECT_FALSE(attachment.delay(true, at(1000ms), kBudget));
  EXPECT_FALSE(attachment.delay(true, at(1499ms), kBudget));
  EXPECT_TRUE(attachment.is_attached());
  EXPECT_TRUE(attachment.delay(true, at(1500ms), kBudget));
  EXPECT_FALSE(attachment.is_attached());
}

TEST(Attachment, EndsAtOnceWithoutABudget) {
  Attachment attachment(3);
  EXPECT_TRUE(attachment.delay(true, at(0ms), 0ms));
}

TEST(Attachment, CountsNeitherAPauseNorTheDelaysOfFramesThatWereTaken) {
  Attachment attachment(3);
  EXPECT_FALSE(attachment.delay(true, at(0ms), kBudget));
  EXPECT_FALSE(attachment.delay(false, at(400ms), kBudget));  // the show is paused
  EXPECT_FALSE(attachment.delay(true, at(10'000ms), kBudget));
  EXPECT_FALSE(attachment.delay(true, at(10'499ms), kBudget));
  EXPECT_FALSE(attachment.take());
  EXPECT_FALSE(attachment.delay(true, at(10'500ms), kBudget));
  EXPECT_FALSE(attachment.delay(true, at(10'999ms), kBudget));
  EXPECT_TRUE(attachment.is_attached());
}

TEST(Attachment, ReturnsWithFramesTakenInARow) {
  Attachment attachment(3);
  ASSERT_TRUE(attachment.delay(true, at(0ms), 0ms));
  EXPECT_FALSE(attachment.take());
  EXPECT_FALSE(attachment.take());
  attachment.miss();
  EXPECT_FALSE(attachment.take());
  EXPECT_FALSE(attachment.take());
  EXPECT_FALSE(attachment.is_attached());
  EXPECT_TRUE(attachment.take());
  EXPECT_TRUE(attachment.is_attached());
  EXPECT_FALSE(attachment.take()) << "said once";
}

TEST(Attachment, CanBeMadeAnew) {
  Attachment attachment(2);
  ASSERT_TRUE(attachment.delay(true, at(0ms), 0ms));
  attachment.attach();
  EXPECT_TRUE(attachment.is_attached());
}

TEST(Attachment, MustEarnItsReturnAnewEachTime) {
  Attachment attachment(2);
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(attachment.delay(true, at(0ms), 0ms));
    EXPECT_FALSE(attachment.take());
    EXPECT_TRUE(attachment.take());
  }
}

}  // namespace
}  // namespace submix::stream
