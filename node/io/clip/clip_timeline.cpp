// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/clip_timeline.hpp"

#include <algorithm>
#include <cmath>

namespace submix::io {
namespace {

// Matroska and other containers round timestamps to milliseconds. A picture that begins this much
// after a frame's time belongs to the frame. The shortest frame, 1/240 s, is four times as long.
constexpr double kTimestampSlackSeconds = 0.001;

}  // namespace

double ClipTimeline::travelled_seconds(FrameIndex index) const {
  const auto frames =
      static_cast<double>(static_cast<std::int64_t>(index.value - anchor_index_.value));
  return anchor_seconds_ + frames * rate_.denominator / rate_.numerator * speed_;
}

void ClipTimeline::set_speed(double speed, FrameIndex now) {
  if (speed == speed_) return;
  anchor_at(now, travelled_seconds(now));
  speed_ = speed;
}

void ClipTimeline::set_offset(double seconds, FrameIndex now, ClipLength length) {
  const auto course = course_at(now, length);
  if (!course.is_looping && course.out_seconds > 0) {
    const double span = course.out_seconds - course.in_seconds;
    anchor_at(now,
              std::clamp(travelled_seconds(now) + offset_seconds_, 0.0, span) - offset_seconds_);
  }
  offset_seconds_ = seconds;
}

void ClipTimeline::anchor_at(FrameIndex index, double travelled) {
  anchor_seconds_ = travelled;
  anchor_index_ = index;
}

Course ClipTimeline::course_at(FrameIndex index, ClipLength length) const {
  const bool has_end = length.end_seconds > 0;
  double out = range_.out_seconds > 0 ? range_.out_seconds : length.end_seconds;
  if (has_end) out = std::min(out, length.end_seconds);
  double in = range_.in_seconds;
  if (out > 0) in = std::clamp(in, 0.0, std::max(0.0, out - length.picture_seconds));
  const double travelled = travelled_seconds(index) + offset_seconds_ + kTimestampSlackSeconds;
  Course course{.seconds = in,
                .step_seconds = speed_ * rate_.denominator / rate_.numerator,
                .in_seconds = in,
                .out_seconds = std::max(out, 0.0),
                .is_looping = is_looping_ && out > 0};
  const double span = out - in;
  if (out <= 0) {
    course.seconds += std::max(0.0, travelled);
  } else if (is_looping_) {
    const double phase = std::fmod(travelled, span);
    course.seconds += phase < 0 ? phase + span : phase;
  } else {
    course.seconds += std::clamp(travelled, 0.0, std::max(0.0, span - kTimestampSlackSeconds));
  }
  return course;
}

}  // namespace submix::io
