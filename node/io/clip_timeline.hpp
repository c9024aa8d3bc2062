// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

namespace submix::io {

/// The part of a clip that plays, in seconds since its first picture.
struct ClipRange {
  double in_seconds = 0;
  double out_seconds = 0;  ///< 0: to the end
};

/// What is known of a clip's length.
struct ClipLength {
  double end_seconds = 0;  ///< where the last picture ends; 0: not known yet
  double picture_seconds = 0.04;
};

/// Which moment of a clip each frame of a show shows. Pure: the same frame shows the same moment, however
/// the show came to it, as long as nothing is set.
///
/// Threads  Compatible.
class ClipTimeline {
 public:
  explicit ClipTimeline(FrameRate rate) : rate_(rate) {}

  void set_range(ClipRange range) { range_ = range; }
  void set_loop(bool is_looping) { is_looping_ = is_looping; }
  /// Frame `first` shows the clip's beginning; before anything else is asked of it.
  void begin_at(FrameIndex first) { anchor_index_ = first; }
  /// From frame `now` on; what is shown at `now` does not jump. 0 freezes.
  void set_speed(double speed, FrameIndex now);

  /// The moment of frame `index`: the picture to show is the last one that begins at or before it.
  [[nodiscard]] double seconds_at(FrameIndex index, ClipLength length) const;

 private:
  [[nodiscard]] double travelled_seconds(FrameIndex index) const;

  FrameRate rate_;
  ClipRange range_;
  bool is_looping_ = true;
  double speed_ = 1;
  FrameIndex anchor_index_;    // where the present speed began,
  double anchor_seconds_ = 0;  // and how far the clip had travelled by then
};

}  // namespace submix::io
