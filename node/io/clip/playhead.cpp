// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/playhead.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace submix::io {
namespace {

constexpr double kEnd = std::numeric_limits<double>::infinity();
// A seek costs about as much as decoding this many pictures.
constexpr double kSeekPictures = 4;
// For a file without a list of key pictures: to a moment farther ahead than this, a seek probably
// saves decoding. Encoders set key pictures every 2 to 10 s.
constexpr double kReadOnSecondsMax = 4.0;
// If a seek landed too late, the file's index is off. One more seek aims this much earlier.
constexpr double kIndexErrorSeconds = 5.0;
// The header's length is rounded, and may include sound that lasts longer than the pictures.
constexpr double kHeaderErrorSeconds = 0.25;

std::size_t bytes_of(const AVFrame& frame) {
  std::size_t bytes = 0;
  for (const auto* buffer : frame.buf)
    bytes += buffer == nullptr ? 0 : buffer->size;
  return bytes;
}

}  // namespace

Playhead::Playhead(VideoReader reader) : reader_(std::move(reader)) {
  length_ = {reader_.duration_seconds(), reader_.picture_seconds()};
  shown_ = std::make_shared<const ClipPicture>(*reader_.next());  // open() has decoded it
  read_until_seconds_ = shown_->seconds + shown_->lasts_seconds;
}

bool Playhead::can_skip_to(double seconds) const {
  if (const auto key = reader_.key_before(seconds)) {
    const auto picture = length_.picture_seconds;
    const bool is_known_broken = *key < no_key_until_seconds_ + picture / 2;  // or passed already
    return !is_known_broken && *key > read_seconds_ + kSeekPictures * picture;
  }
  return seconds > std::max(read_seconds_, no_key_until_seconds_) + kReadOnSecondsMax;
}

std::optional<Stretch> Playhead::read_on() {
  auto picture = next();
  if (!picture) {
    if (!is_gone_) learn_end();
    auto last = shown_until(kEnd);
    begin_seconds_ = kEnd;
    return last;
  }
  read_seconds_ = picture->seconds;
  read_until_seconds_ = picture->seconds + picture->lasts_seconds;
  const bool is_beyond_end = read_seconds_ + length_.picture_seconds / 2 > length_.end_seconds;
  if (length_.end_seconds > 0 && is_beyond_end) length_.end_seconds = read_until_seconds_;
  if (picture->is_damaged) {
    damaged_at_ = picture->seconds;
    return std::nullopt;
  }
  const auto end = picture->seconds;
  std::optional<Stretch> known;
  if (end > begin_seconds_) known = shown_until(end);
  shown_ = std::make_shared<const ClipPicture>(*std::move(picture));
  begin_seconds_ = std::max(begin_seconds_, end);
  return known;
}

void Playhead::seek(double seconds) {
  const bool has_landed = (reader_.seek(seconds) && lands_before(seconds)) ||
                          (seconds > kIndexErrorSeconds &&
                           reader_.seek(seconds - kIndexErrorSeconds) && lands_before(seconds)) ||
                          (reader_.restart() && lands_before(seconds));
  if (has_landed) {
    no_key_until_seconds_ = seconds;
    return;
  }
  is_gone_ = true;  // the last good picture stays, without more tries
  damaged_at_ = seconds;
  begin_seconds_ = 0;
}

/// Takes the picture that a seek has found as the new position, unless it begins after `seconds`.
bool Playhead::lands_before(double seconds) {
  auto landing = next();
  if (!landing || landing->seconds > std::max(seconds, 0.0)) return false;
  begin_seconds_ = read_seconds_ = landing->seconds;
  read_until_seconds_ = landing->seconds + landing->lasts_seconds;
  if (landing->is_damaged) {
    damaged_at_ = landing->seconds;
  } else {
    shown_ = std::make_shared<const ClipPicture>(*std::move(landing));
  }
  return true;
}

std::optional<ClipPicture> Playhead::next() {
  if (is_gone_) return std::nullopt;
  auto picture = reader_.next();
  if (reader_.faults() != faults_seen_) {
    faults_seen_ = reader_.faults();
    damaged_at_ = lost_seconds().value_or(read_seconds_);
  }
  return picture;
}

/// A series knows which picture was lost. A video only tells that it is damaged.
std::optional<double> Playhead::lost_seconds() const {
  const auto* series = reader_.series();
  if (series == nullptr || !series->lost_place()) return std::nullopt;
  return static_cast<double>(*series->lost_place()) * length_.picture_seconds;
}

Stretch Playhead::shown_until(double end_seconds) const {
  return {begin_seconds_, end_seconds, shown_, bytes_of(*shown_->frame)};
}

void Playhead::learn_end() {
  if (reader_.series() != nullptr) return;  // lost pictures at its end belong to it
  const double end = read_until_seconds_;
  if (length_.end_seconds > 0 && end >= length_.end_seconds) return;
  if (length_.end_seconds > end + kHeaderErrorSeconds) missing_seconds_ = length_.end_seconds - end;
  length_.end_seconds = end;
}

}  // namespace submix::io
