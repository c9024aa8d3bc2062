// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/units.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

namespace submix::io {

/// For how many of a display's refreshes a frame stays, and whether the display really waits for them.
///
/// Threads  Compatible.
class DisplayTime {
 public:
  static constexpr int kHastyFramesMax = 10;  ///< in a row: it does not wait

  /// The number that is nearest to the show's rate; at least one.
  [[nodiscard]] static int refreshes_for(FrameRate rate, std::chrono::nanoseconds refresh) {
    const std::chrono::duration<double> frame(1 / rate.frames_per_second());
    return std::max(1, static_cast<int>(std::lround(frame / std::chrono::duration<double>(refresh))));
  }

  /// A frame was shown, for which the display should have taken `expected`.
  void shown(LocalTime now, std::chrono::nanoseconds expected) {
    const bool is_hasty = last_ && now - *last_ < expected * 7 / 10;
    hasty_frames_ = is_hasty ? hasty_frames_ + 1 : 0;
    last_ = now;
  }
  [[nodiscard]] bool is_kept() const { return hasty_frames_ < kHastyFramesMax; }
  void begin() { *this = {}; }

 private:
  std::optional<LocalTime> last_;
  int hasty_frames_ = 0;
};

}  // namespace submix::io
