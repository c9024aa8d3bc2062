// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/media/atomic_frame.hpp"
#include "common/media/frame.hpp"
#include "common/media/image.hpp"

#include <atomic>
#include <chrono>
#include <optional>

namespace submix::engine {

/// What a stage made last, made small.
struct TapPicture {
  media::Rgb24Image image;
  media::FrameStamp stamp;
};

/// A stage's last frame, for snapshots and previews, also while paused. Lossy: what nobody took is gone.
///
/// While nobody looks, what a slot with inputs has made itself is kept a few times a second only: what a tap
/// holds is not written over by the next slot, and the cache has room for few pictures. So a first look in a
/// pause may show a picture of up to kRenewal before it.
///
/// Threads  The stage's side: one thread at a time. The readers': synchronized among themselves. Between the
///          two there is no lock: a stage never waits for who looks at it.
class Tap {
 public:
  /// From a look on, each frame is kept for so long; else one in so much time.
  static constexpr std::chrono::seconds kWatched{2};
  static constexpr std::chrono::milliseconds kRenewal{200};

  // ---- the stage's side

  /// Whether a frame that is made now is to be published.
  [[nodiscard]] bool is_due(LocalTime now);
  /// `is_passed_on`: the frame is another stage's, who waits for its seat.
  void publish(const media::Frame& frame, LocalTime now, bool is_passed_on = false);
  void clear();

  // ---- the readers'

  [[nodiscard]] media::Frame latest() const SUBMIX_EXCLUDES(readers_);
  /// The same, but that is no look.
  [[nodiscard]] media::Frame kept() const SUBMIX_EXCLUDES(readers_);
  /// At most `width_max` wide. Empty before the first frame.
  [[nodiscard]] std::optional<TapPicture> picture(int width_max) const SUBMIX_EXCLUDES(readers_);

 private:
  LocalTime published_{};
  bool has_frame_ = false;
  bool is_passed_on_ = false;
  std::optional<LocalTime> looked_;

  mutable media::AtomicFrame shown_;
  mutable std::atomic<bool> has_new_look_ =
      false;  // since is_due() was asked last; relaxed: stands alone

  mutable Mutex readers_;  // one looks at a time
};

}  // namespace submix::engine
