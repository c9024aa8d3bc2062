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

/// A stage's newest frame, scaled down.
struct TapPicture {
  media::Rgb24Image image;
  media::FrameStamp stamp;
};

/// A stage's newest frame, for snapshots and previews, also in a pause. Lossy: the next frame
/// replaces a frame that was not read.
///
/// While nobody looks, the tap of a slot with inputs keeps only a few of the slot's own frames each
/// second: no slot can draw into the memory of a kept frame, and the cache has room for few frames.
/// So the first look in a pause may show a picture up to kRenewal older than the pause.
///
/// Threads  The stage's functions: a single thread at a time. The readers' functions: synchronized
///          among readers. The two sides share no lock: a stage never waits for a reader.
class Tap {
 public:
  /// After a look, each frame is kept for kWatched; otherwise a frame every kRenewal.
  static constexpr std::chrono::seconds kWatched{2};
  static constexpr std::chrono::milliseconds kRenewal{200};

  // Called by the stage.

  /// True: a frame made now is to be published.
  [[nodiscard]] bool is_due(LocalTime now);
  /// `is_passed_on`: another stage made the frame and needs its seat back.
  void publish(const media::Frame& frame, LocalTime now, bool is_passed_on = false);
  void clear();

  // Called by readers.

  [[nodiscard]] media::Frame latest() const SUBMIX_EXCLUDES(readers_);
  /// Like latest(), but does not count as a look.
  [[nodiscard]] media::Frame kept() const SUBMIX_EXCLUDES(readers_);
  /// At most `width_max` pixels wide. Empty before the first frame.
  [[nodiscard]] std::optional<TapPicture> picture(int width_max) const SUBMIX_EXCLUDES(readers_);

 private:
  LocalTime published_{};
  bool has_frame_ = false;
  bool is_passed_on_ = false;
  std::optional<LocalTime> looked_;

  mutable media::AtomicFrame shown_;
  // since the last is_due(); relaxed: stands alone
  mutable std::atomic<bool> has_new_look_ = false;

  mutable Mutex readers_;  // a single reader at a time
};

}  // namespace submix::engine
