// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/picture_store.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace submix::io {
namespace {

// A picture behind the moment is as urgent as a picture four times as far ahead. So about a fifth
// of the store lies behind, for a clip that turns back. The half lets the picture ahead win a tie:
// otherwise it would be dropped and read again and again.
constexpr double kBehindFactor = 4;
constexpr double kBehindFrames = 0.5;

double urgency_frames(const Stretch& stretch, const Course& course) {
  const auto& [begin, end, picture, bytes] = stretch;
  return std::min(course.frames_until(begin, end),
                  kBehindFactor * course.reversed().frames_until(begin, end) + kBehindFrames);
}

}  // namespace

void PictureStore::add(Stretch stretch, const Course& course) {
  const auto begin = stretch.begin_seconds;
  const auto known = stretches_.find(begin);
  if (known != stretches_.end()) {
    if (known->second.end_seconds == stretch.end_seconds) return;
    remove(known);
  }
  auto covered = stretches_.lower_bound(begin);
  while (covered != stretches_.end() && covered->second.end_seconds <= stretch.end_seconds)
    remove(covered++);
  bytes_ += stretch.bytes;
  stretches_.emplace(begin, std::move(stretch));
  make_room(course);
}

void PictureStore::remove(Stretches::iterator stretch) {
  bytes_ -= stretch->second.bytes;
  stretches_.erase(stretch);
}

void PictureStore::make_room(const Course& course) {
  while (bytes_ > bytes_max_ && stretches_.size() > 1) {
    auto last = stretches_.begin();
    double last_frames = -1;
    for (auto each = stretches_.begin(); each != stretches_.end(); ++each) {
      const double frames = urgency_frames(each->second, course);
      if (frames <= last_frames) continue;
      last = each;
      last_frames = frames;
    }
    remove(last);
  }
}

const Stretch* PictureStore::at(double seconds) const {
  const auto after = stretches_.upper_bound(seconds);
  if (after == stretches_.begin()) return nullptr;
  const auto& stretch = std::prev(after)->second;
  return seconds < stretch.end_seconds ? &stretch : nullptr;
}

const Stretch* PictureStore::latest_passed(const Course& course, double frames) const {
  const auto back = course.reversed();
  const Stretch* latest = nullptr;
  for (const auto& [begin, stretch] : stretches_) {
    const double passed = back.frames_until(begin, stretch.end_seconds);
    if (passed > frames) continue;
    frames = passed;
    latest = &stretch;
  }
  return latest;
}

std::optional<PictureStore::Missing> PictureStore::first_missing(const Course& course) const {
  double frames = 0;
  while (const auto moment = course.moment(frames)) {
    const auto* stretch = at(*moment);
    if (stretch == nullptr) return Missing{*moment, frames};
    frames += course.frames_within(*moment, stretch->begin_seconds, stretch->end_seconds);
  }
  return std::nullopt;
}

std::size_t PictureStore::room_for(const Course& course, double frames) const {
  std::size_t sooner = 0;
  for (const auto& [begin, stretch] : stretches_) {
    if (urgency_frames(stretch, course) < frames) sooner += stretch.bytes;
  }
  return bytes_max_ - std::min(sooner, bytes_max_);
}

}  // namespace submix::io
