// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/atomic_frame.hpp"
#include "common/media/frame_pool.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <utility>

namespace submix::media {
namespace {

class AtomicFrameTest : public ::testing::Test {
 protected:
  Frame numbered(std::uint64_t index) {
    auto writable = pool_.try_acquire();
    writable->stamp().index = {index};
    return std::move(*writable).publish();
  }

  FramePool pool_{{16, 16}, 4};
  AtomicFrame shown_;
};

TEST_F(AtomicFrameTest, ShowsWhatWasStoredLastAsOftenAsOneLooks) {
  EXPECT_FALSE(shown_.look());
  shown_.store(numbered(1));
  shown_.store(numbered(2));
  EXPECT_EQ(shown_.look().stamp().index.value, 2U);
  EXPECT_EQ(shown_.look().stamp().index.value, 2U);
  EXPECT_EQ(pool_.seats_free(), 3U);
}

TEST_F(AtomicFrameTest, KeepsNothingOnceItIsCleared) {
  shown_.store(numbered(1));
  const auto looked_at = shown_.look();
  shown_.store({});
  EXPECT_FALSE(shown_.look());
  EXPECT_EQ(looked_at.references(), 1U);
}

TEST_F(AtomicFrameTest, LetsItsFrameGoWithItself) {
  {
    AtomicFrame brief;
    brief.store(numbered(1));
  }
  EXPECT_EQ(pool_.seats_free(), 4U);
}

// One frame is shown, the looker has another, and a third is about to be shown: a fourth seat is
// always free.
TEST_F(AtomicFrameTest, ShowsEverLaterFramesWhileTheyAreReplacedAndLosesNone) {
  constexpr std::uint64_t kFrames = 100'000;
  std::jthread looker([&](const std::stop_token& stop) {
    for (std::uint64_t last = 0; !stop.stop_requested();) {
      const auto frame = shown_.look();
      const auto index = frame ? frame.stamp().index.value : last;
      ASSERT_GE(index, last);
      last = index;
    }
  });
  for (std::uint64_t index = 0; index < kFrames; ++index) {
    auto writable = pool_.try_acquire();
    ASSERT_TRUE(writable) << "frame " << index;
    writable->stamp().index = {index};
    shown_.store(std::move(*writable).publish());
  }
  looker = {};
  shown_.store({});
  EXPECT_EQ(pool_.seats_free(), 4U);
}

}  // namespace
}  // namespace submix::media
