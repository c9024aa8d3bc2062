// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <chrono>
#include <cstdint>

namespace submix::stream {

/// How many frames must be under way so that each frame is ready when it is needed, but not earlier
/// than necessary.
///
/// The owner reports each frame's spare time: how long the frame was ready before it was needed. A
/// late frame widens the window by one. The window narrows when all frames of a period had time to
/// spare: by so many frames that a quarter of a frame's time is left. If the window soon proves too
/// narrow, the next period is twice as long. The first frame after a standstill, such as a pause or
/// a step in it, is not counted, and a new period begins.
///
/// Shape    Begins at its greatest size, so the window delays no start.
/// Threads  Compatible.
/// Cost     Constant time; allocates nothing.
class FrameWindow {
 public:
  /// The window stays within `least` and `most` frames. `patience`: the shortest period before it
  /// narrows.
  FrameWindow(std::uint64_t least, std::uint64_t most,
              std::chrono::nanoseconds patience = std::chrono::seconds(1))
      : least_(least), most_(most), frames_(most), patience_least_(patience), patience_(patience) {}

  /// A frame was used at `now`. `spare`: how long it had been ready; negative: how late it was.
  /// Returns true if the window changed.
  bool note(std::chrono::nanoseconds spare, LocalTime now);
  /// A window at its greatest size stays at its greatest size.
  void set_limits(std::uint64_t least, std::uint64_t most);
  /// Goes back to the greatest size and forgets all measurements: frames may take a different time
  /// now.
  void begin_anew();

  [[nodiscard]] std::uint64_t frames() const { return frames_; }

 private:
  /// Measurements since the window last changed or a frame was late.
  struct Evidence {
    std::uint64_t frames = 0;
    LocalTime since{};
    std::chrono::nanoseconds least_spare = std::chrono::nanoseconds::max();
  };

  bool has_stood_still(LocalTime now);
  bool widen(LocalTime now);
  bool narrow(LocalTime now);

  std::uint64_t least_;
  std::uint64_t most_;
  std::uint64_t frames_;
  Evidence evidence_;
  std::uint64_t frames_since_change_ = 0;
  LocalTime noted_at_{};
  std::chrono::nanoseconds period_{0};  // between frames, as last seen; 0: not yet known
  const std::chrono::nanoseconds patience_least_;
  std::chrono::nanoseconds patience_;
  LocalTime narrowed_at_{};
};

}  // namespace submix::stream
