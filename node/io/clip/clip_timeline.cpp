// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/clip_timeline.hpp"

#include "common/show/clip_beats.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace submix::io {
namespace {

// Matroska and other containers round timestamps to milliseconds. A picture that begins this much
// after a frame's time belongs to the frame. The shortest frame, 1/240 s, is four times as long.
constexpr double kTimestampSlackSeconds = 0.001;

}  // namespace

// Empty (out_seconds is 0 or less): the end is not known.
ClipRange ClipTimeline::part_of(ClipLength length) const {
  double out = range_.out_seconds > 0 ? range_.out_seconds : length.end_seconds;
  if (length.end_seconds > 0) out = std::min(out, length.end_seconds);
  double in = range_.in_seconds;
  if (out > 0) in = std::clamp(in, 0.0, std::max(0.0, out - length.picture_seconds));
  return {in, out};
}

double ClipTimeline::direction() const {
  if (speed_ == 0) return 0;
  return speed_ > 0 ? 1 : -1;
}

double ClipTimeline::beats_at(FrameIndex index) const {
  if (!beat_) return 0;
  const auto frames =
      static_cast<double>(static_cast<std::int64_t>(index.value - beat_index_.value));
  return beat_->count + frames * beat_->per_frame;
}

double ClipTimeline::step_seconds() const {
  if (follows_beats()) return beat_->per_frame * seconds_a_beat_ * direction();
  return speed_ * rate_.denominator / rate_.numerator;
}

double ClipTimeline::travelled_seconds(FrameIndex index) const {
  if (follows_beats())
    return anchor_seconds_ + (beats_at(index) - anchor_beats_) * seconds_a_beat_ * direction();
  const auto frames =
      static_cast<double>(static_cast<std::int64_t>(index.value - anchor_index_.value));
  return anchor_seconds_ + frames * rate_.denominator / rate_.numerator * speed_;
}

void ClipTimeline::begin_at(FrameIndex first) {
  anchor_at(first, 0);
  if (follows_beats() && is_looping_)
    anchor_beats_ = lasting_beats_ * std::floor(anchor_beats_ / lasting_beats_);
}

void ClipTimeline::set_range(ClipRange range, FrameIndex now, ClipLength length) {
  range_ = range;
  settle_pace(now, length);
}

void ClipTimeline::move_range(ClipRange range, FrameIndex now, ClipLength length) {
  const auto before = course_at(now, length);
  range_ = range;
  const auto part = part_of(length);
  double travelled = before.seconds - kTimestampSlackSeconds - part.in_seconds;
  const double span = std::max(0.0, part.out_seconds - part.in_seconds);
  const bool comes_from_before = speed_ >= 0 && travelled < 0;
  const bool comes_from_behind = speed_ <= 0 && part.out_seconds > 0 && travelled >= span;
  if (comes_from_before) travelled = 0;
  if (comes_from_behind) travelled = span - length.picture_seconds;
  if (!is_looping_ && part.out_seconds > 0) travelled = std::clamp(travelled, 0.0, span);
  anchor_at(now, travelled - offset_seconds_);
  settle_pace(now, length);
  align_to_beats(now);
}

void ClipTimeline::set_speed(double speed, FrameIndex now) {
  if (speed == speed_) return;
  const double before = direction();
  const double travelled = travelled_seconds(now);
  speed_ = speed;
  if (follows_beats() && direction() == before) return;
  anchor_at(now, travelled);
  align_to_beats(now);
}

void ClipTimeline::set_beats(double beats, FrameIndex now, ClipLength length) {
  beats_ = beats;
  settle_pace(now, length);
}

void ClipTimeline::tell_beat(plugin::Beat beat, FrameIndex now, ClipLength length) {
  beat_ = beat;
  beat_index_ = now;
  settle_pace(now, length);
}

// Whatever changes the pace, the clip goes on from the moment that it shows. Another file keeps its
// beats, and has just begun where it should.
void ClipTimeline::settle_pace(FrameIndex now, ClipLength length) {
  const auto part = part_of(length);
  const double span = part.out_seconds > 0 ? part.out_seconds - part.in_seconds : 0;
  const double beats_a_second = beat_ ? beat_->per_frame * rate_.numerator / rate_.denominator : 0;
  const double lasting = beat_ ? show::lasting_beats(beats_, span, beats_a_second) : 0;
  const double seconds_a_beat = lasting > 0 ? span / lasting : 0;
  if (lasting == lasting_beats_ && seconds_a_beat == seconds_a_beat_) return;
  const double travelled = travelled_seconds(now);
  const bool has_other_beats = std::exchange(lasting_beats_, lasting) != lasting;
  seconds_a_beat_ = seconds_a_beat;
  anchor_at(now, travelled);
  if (has_other_beats) align_to_beats(now);
}

void ClipTimeline::align_to_beats(FrameIndex now) {
  if (!follows_beats() || !is_looping_ || speed_ == 0) return;
  const double travelled = travelled_seconds(now);
  const double at = (travelled + offset_seconds_) / seconds_a_beat_;
  const double wrong = at - direction() * beats_at(now);
  anchor_at(now, travelled + (std::round(wrong) - wrong) * seconds_a_beat_);
}

void ClipTimeline::set_offset(double seconds, FrameIndex now, ClipLength length) {
  const auto course = course_at(now, length);
  if (!course.is_looping && course.out_seconds > 0) {
    const double span = course.out_seconds - course.in_seconds;
    anchor_at(now,
              std::clamp(travelled_seconds(now) + offset_seconds_, 0.0, span) - offset_seconds_);
  }
  offset_seconds_ = seconds;
  align_to_beats(now);
}

void ClipTimeline::anchor_at(FrameIndex index, double travelled) {
  anchor_seconds_ = travelled;
  anchor_index_ = index;
  anchor_beats_ = beats_at(index);
}

Course ClipTimeline::course_at(FrameIndex index, ClipLength length) const {
  const auto [in, out] = part_of(length);
  const double travelled = travelled_seconds(index) + offset_seconds_ + kTimestampSlackSeconds;
  Course course{.seconds = in,
                .step_seconds = step_seconds(),
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
