// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/clip_follower.hpp"

#include "node/io/sound/sound_stream.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace submix::io {
namespace {

using Seconds = std::chrono::duration<double>;

// A clip that misses this many frames counts as paused. Fewer late frames are not heard.
constexpr int kFramesMissedMax = 3;
constexpr Seconds kMissedMin{0.1};
constexpr double kEndSeconds = 0.002;      // ClipTimeline holds a moment just before the end
constexpr double kSpeedMin = 0.01;         // slower sound is inaudible
constexpr double kJumpSeconds = 0.1;       // if farther from the picture, the sound jumps
constexpr double kAgreementSeconds = 0.1;  // if nearer, it catches up within about this time

/// A clip that does not loop holds its last picture.
bool has_ended(const Course& course) {
  if (course.is_looping || course.out_seconds <= 0) return false;
  return course.step_seconds > 0 ? course.seconds > course.out_seconds - kEndSeconds
                                 : course.seconds < course.in_seconds + kEndSeconds;
}

/// The distance from `from` to `to`, on the shorter way around a loop.
double distance(const Course& course, double from, double to) {
  const double span = course.out_seconds - course.in_seconds;
  const double straight = to - from;
  return course.is_looping && span > 0 ? std::remainder(straight, span) : straight;
}

}  // namespace

std::optional<Course> ClipFollower::next(const PlayedMoment& moment, LocalTime now,
                                         std::size_t samples) {
  const Seconds frame_time = moment.frame_time;
  const Seconds age = now - moment.made;
  const double speed = moment.course.step_seconds / frame_time.count();
  const bool is_paused = age > kFramesMissedMax * frame_time + kMissedMin;
  if (is_paused || std::abs(speed) < kSpeedMin || has_ended(moment.course)) {
    jump();
    return std::nullopt;
  }

  const double shown = moment.course.in_loop(moment.course.seconds + age.count() * speed);
  double behind = seconds_ ? distance(moment.course, *seconds_, shown) : 0;
  if (!seconds_ || std::abs(behind) > kJumpSeconds * std::max(1.0, std::abs(speed))) {
    seconds_ = shown;
    behind = 0;
  }
  const double bend = std::clamp(behind / kAgreementSeconds, -std::abs(speed), std::abs(speed));
  Course piece = moment.course;
  piece.seconds = *seconds_;
  piece.step_seconds = (speed + bend) / kSoundRateHz;
  seconds_ = piece.in_loop(piece.seconds + piece.step_seconds * static_cast<double>(samples));
  return piece;
}

}  // namespace submix::io
