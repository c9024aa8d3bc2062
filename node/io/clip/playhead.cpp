// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/playhead.hpp"

#include <algorithm>
#include <utility>

namespace submix::io {
namespace {

// Farther ahead than this, a seek is likely to save decoding: encoders set key pictures every 2 to
// 10 s.
constexpr double kReadOnSecondsMax = 4.0;
// If a seek landed too late, the file's index is off. One more seek aims this much earlier.
constexpr double kIndexErrorSeconds = 5.0;
// The header's length is rounded and may include sound that outlasts the pictures.
constexpr double kHeaderErrorSeconds = 0.25;

}  // namespace

Playhead::Playhead(VideoReader reader) : reader_(std::move(reader)) {
  length_ = {reader_.duration_seconds(), reader_.picture_seconds()};
  shown_ = *reader_.next();  // open() has decoded it
  read_on();
}

const ClipPicture& Playhead::picture_at(double seconds, const std::stop_token& stop) {
  const bool is_behind = seconds < position_seconds_;
  const bool is_far_ahead = next_ && seconds > next_->seconds + kReadOnSecondsMax;
  if (is_behind || is_far_ahead) go_back_or_ahead(seconds);
  while (next_ && next_->seconds <= seconds && !stop.stop_requested()) {
    show(*std::exchange(next_, std::nullopt));
    read_on();
  }
  return shown_;
}

void Playhead::go_back_or_ahead(double seconds) {
  if (reader_.seek(seconds) && lands_before(seconds)) return;
  if (seconds > kIndexErrorSeconds && reader_.seek(seconds - kIndexErrorSeconds) &&
      lands_before(seconds))
    return;
  if (reader_.restart() && lands_before(seconds)) return;
  next_.reset();  // the file is gone: the last good picture stays, without more tries
  position_seconds_ = 0;
  damaged_at_ = seconds;
}

/// Takes the picture that a seek led to as the new position, unless it lies after the aim.
bool Playhead::lands_before(double seconds) {
  next_ = reader_.next();
  if (!next_ || next_->seconds > std::max(seconds, 0.0)) return false;
  position_seconds_ = next_->seconds;
  return true;
}

void Playhead::read_on() {
  next_ = reader_.next();
  if (reader_.faults() != faults_seen_) {
    faults_seen_ = reader_.faults();
    damaged_at_ = position_seconds_;
  }
  if (!next_) learn_end();
}

void Playhead::show(ClipPicture picture) {
  position_seconds_ = picture.seconds;
  if (picture.is_damaged) {
    damaged_at_ = picture.seconds;
  } else {
    shown_ = std::move(picture);
  }
}

void Playhead::learn_end() {
  const double end = position_seconds_ + length_.picture_seconds;
  if (length_.end_seconds > 0 && end >= length_.end_seconds) return;
  if (length_.end_seconds > end + kHeaderErrorSeconds) missing_seconds_ = length_.end_seconds - end;
  length_.end_seconds = end;
}

}  // namespace submix::io
