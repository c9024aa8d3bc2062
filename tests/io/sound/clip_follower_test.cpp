// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/clip_follower.hpp"

#include "node/io/clip/clip_timeline.hpp"
#include "node/io/sound/sound_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace submix::io {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kSamples = 512;
constexpr std::chrono::nanoseconds kPiece = std::chrono::nanoseconds(512 * 1s) / kSoundRateHz;
constexpr std::chrono::nanoseconds kFrame = 1'000'000'000ns / 30;

/// A clip whose frames are shown in time, and the sound that follows it.
class FollowingAClip : public ::testing::Test {
 protected:
  [[nodiscard]] static LocalTime at(std::chrono::nanoseconds time) { return LocalTime(1h + time); }
  /// Frame `index` shows what the clip has come to at `speed`.
  [[nodiscard]] static PlayedMoment frame(int index, double speed = 1) {
    PlayedMoment moment;
    moment.frame_time = kFrame;
    moment.course.step_seconds = speed / 30;
    moment.course.seconds = 100 + index * moment.course.step_seconds;
    moment.made = at(index * kFrame);
    return moment;
  }
  std::optional<Course> piece(const PlayedMoment& moment, int number) {
    return follower_.next(moment, at(number * kPiece), kSamples);
  }
  [[nodiscard]] static double end_of(const Course& piece) {
    return piece.seconds + piece.step_seconds * kSamples;
  }
  /// The greatest gap between two pieces in the first second, in seconds of the clip.
  double greatest_gap(const std::function<PlayedMoment(int)>& frame_at) {
    double greatest = 0;
    std::optional<Course> before;
    for (int number = 0; number < 94; ++number) {
      const auto now = piece(frame_at(static_cast<int>(number * kPiece / kFrame)), number);
      if (!now) return INFINITY;
      if (before) greatest = std::max(greatest, std::abs(now->seconds - end_of(*before)));
      before = now;
    }
    return greatest;
  }

  ClipFollower follower_;
};

TEST_F(FollowingAClip, ThePiecesFollowEachOtherWithoutGaps) {
  for (const double speed : {1.0, 0.5, 4.0, -1.0}) {
    follower_.jump();
    EXPECT_LT(greatest_gap([&](int index) { return frame(index, speed); }), 1e-9) << speed;
    const auto last = piece(frame(28, speed), 94);
    ASSERT_TRUE(last);
    EXPECT_NEAR(last->seconds, 100 + speed * 94 * 512 / kSoundRateHz, 0.005 * std::abs(speed));
    EXPECT_NEAR(last->step_seconds * kSoundRateHz, speed, 0.05 * std::abs(speed));
  }
}

TEST_F(FollowingAClip, FramesThatComeLateOrEarlyBendTheSpeedAndMakeNoGap) {
  const auto uneven = [&](int index) {
    auto moment = frame(index);
    moment.made += index % 3 == 0 ? 8ms : index % 3 == 1 ? -6ms : 0ms;
    return moment;
  };
  EXPECT_LT(greatest_gap(uneven), 1e-9);
}

// 20 frames a second where 30 are due: the clip runs at two thirds of its speed.
TEST_F(FollowingAClip, AShowThatIsSlowIsFollowedAtItsPace) {
  const auto slow = [&](int index) {
    const int made = index * 2 / 3;
    auto moment = frame(made);
    moment.made = at(made * kFrame * 3 / 2);
    return moment;
  };
  EXPECT_LT(greatest_gap(slow), 1e-9);
  const auto last = piece(slow(30), 94);
  ASSERT_TRUE(last);
  EXPECT_NEAR(last->seconds, 100 + 2.0 / 3, 0.1);
}

TEST_F(FollowingAClip, AJumpOfTheClipIsAJumpOfItsSound) {
  ASSERT_TRUE(piece(frame(0), 0));
  auto jumped = frame(0);
  jumped.course.seconds = 30;
  const auto after = piece(jumped, 1);
  ASSERT_TRUE(after);
  EXPECT_NEAR(after->seconds, 30.0107, 0.001);
}

TEST_F(FollowingAClip, ALoopIsGoneAroundWithoutAJump) {
  auto moment = frame(0);
  moment.course = {.seconds = 2.995,
                   .step_seconds = 1.0 / 30,
                   .in_seconds = 1,
                   .out_seconds = 3,
                   .is_looping = true};
  const auto before = piece(moment, 0);
  const auto after = piece(moment, 1);
  ASSERT_TRUE(before && after);
  EXPECT_NEAR(before->seconds, 2.995, 1e-9);
  EXPECT_NEAR(after->seconds, 1.0057, 0.001);
  EXPECT_TRUE(after->is_looping);
}

TEST_F(FollowingAClip, AClipThatIsPausedOrStandsStillIsSilent) {
  EXPECT_TRUE(piece(frame(0), 10)) << "a frame is late";
  EXPECT_FALSE(piece(frame(0), 25)) << "paused";
  EXPECT_FALSE(piece(frame(0, 0), 1));
  const auto again = piece(frame(60), 188);
  ASSERT_TRUE(again);
  EXPECT_NEAR(again->seconds, 102.005, 0.001) << "goes on where the picture is";
}

TEST_F(FollowingAClip, AClipThatHasEndedIsSilent) {
  ClipTimeline timeline({30, 1});
  timeline.set_loop(false);
  const ClipLength length{.end_seconds = 2, .picture_seconds = 1.0 / 30};
  const auto shown = [&](int index) {
    auto moment = frame(index);
    moment.course = timeline.course_at(FrameIndex{static_cast<std::uint64_t>(index)}, length);
    return moment;
  };
  EXPECT_TRUE(piece(shown(59), 185));
  EXPECT_FALSE(piece(shown(60), 188));
  EXPECT_FALSE(piece(shown(61), 191));
  timeline.set_speed(-1, FrameIndex{61});
  EXPECT_TRUE(piece(shown(63), 197));
  EXPECT_FALSE(piece(shown(200), 625));
}

}  // namespace
}  // namespace submix::io
