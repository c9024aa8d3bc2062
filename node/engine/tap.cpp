// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/tap.hpp"

#include "common/media/downscaler.hpp"

namespace submix::engine {

bool Tap::is_due(LocalTime now) {
  if (has_new_look_.load(std::memory_order_relaxed) && has_new_look_.exchange(false)) looked_ = now;
  return !has_frame_ || is_passed_on_ || (looked_ && now - *looked_ < kWatched) ||
         now - published_ >= kRenewal;
}

void Tap::publish(const media::Frame& frame, LocalTime now, bool is_passed_on) {
  published_ = now;
  is_passed_on_ = is_passed_on;
  has_frame_ = static_cast<bool>(frame);
  shown_.store(frame);
}

void Tap::clear() {
  publish({}, {});
}

media::Frame Tap::latest() const {
  has_new_look_.store(true, std::memory_order_relaxed);
  return kept();
}

media::Frame Tap::kept() const {
  const MutexLock lock(readers_);
  return shown_.look();
}

std::optional<TapPicture> Tap::picture(int width_max) const {
  has_new_look_.store(true, std::memory_order_relaxed);
  const auto frame = kept();
  if (!frame) return std::nullopt;
  TapPicture picture{{}, frame.stamp()};
  media::Downscaler().shrink(frame, width_max > 0 ? width_max : frame.size().width, picture.image);
  return picture;
}

}  // namespace submix::engine
