// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/units.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

namespace submix::io {

/// Keeps a display's time: for how many refreshes a frame is shown, how late a frame came, and
/// whether the display really waits for its refreshes.
///
/// Threads  Compatible.
class DisplayTime {
 public:
  static constexpr int kHastyFramesMax = 10;  ///< hasty frames in a row: the display does not wait

  /// The number of refreshes nearest to the show's rate; at least 1.
  [[nodiscard]] static int refreshes_for(FrameRate rate, std::chrono::nanoseconds refresh) {
    const std::chrono::duration<double> frame(1 / rate.frames_per_second());
    return std::max(1,
                    static_cast<int>(std::lround(frame / std::chrono::duration<double>(refresh))));
  }

  /// Notes that a frame was shown, which should have taken `expected`. Returns the excess time,
  /// which only a late frame can cause; negative if the display took less. Empty: there is no
  /// earlier frame to compare with.
  std::optional<std::chrono::nanoseconds> shown(LocalTime now, std::chrono::nanoseconds expected) {
    const auto taken = last_ ? std::optional(now - *last_) : std::nullopt;
    const bool is_hasty = taken && *taken < expected * 7 / 10;
    hasty_frames_ = is_hasty ? hasty_frames_ + 1 : 0;
    last_ = now;
    return taken ? std::optional(*taken - expected) : std::nullopt;
  }
  /// The next frame is due whenever it comes.
  void forget_last() { last_.reset(); }
  [[nodiscard]] bool is_kept() const { return hasty_frames_ < kHastyFramesMax; }
  void begin() { *this = {}; }

 private:
  std::optional<LocalTime> last_;
  int hasty_frames_ = 0;
};

}  // namespace submix::io
