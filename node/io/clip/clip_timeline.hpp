// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "node/io/clip/course.hpp"

namespace submix::io {

/// The part of a clip that plays, in seconds since its first picture.
struct ClipRange {
  double in_seconds = 0;
  double out_seconds = 0;  ///< 0: to the end
};

/// The known length of a clip.
struct ClipLength {
  double end_seconds = 0;  ///< end of the last picture; 0: not known yet
  double picture_seconds = 0.04;
};

/// Maps each frame of a show to a moment of a clip. Between two changes the same frame always has
/// the same moment, whatever the order of the calls.
///
/// Threads  Compatible.
class ClipTimeline {
 public:
  explicit ClipTimeline(FrameRate rate) : rate_(rate) {}

  void set_range(ClipRange range) { range_ = range; }
  void set_loop(bool is_looping) { is_looping_ = is_looping; }
  /// From frame `now` on, shows a moment that is `seconds` later. A clip that has played to its end
  /// continues from there.
  void set_offset(double seconds, FrameIndex now, ClipLength length);
  /// Frame `first` shows the clip's beginning. Call before any other function.
  void begin_at(FrameIndex first) { anchor_index_ = first; }
  /// Frame `now` shows the moment `seconds` after the beginning of the played part.
  void jump_to(double seconds, FrameIndex now) { anchor_at(now, seconds - offset_seconds_); }
  /// Changes the speed from frame `now` on; the moment shown at `now` does not jump. 0 freezes.
  void set_speed(double speed, FrameIndex now);

  /// The moment of frame `index`. The picture to show is the last one that begins at or before this
  /// moment.
  [[nodiscard]] double seconds_at(FrameIndex index, ClipLength length) const {
    return course_at(index, length).seconds;
  }
  /// This moment and the moments after it.
  [[nodiscard]] Course course_at(FrameIndex index, ClipLength length) const;

 private:
  [[nodiscard]] double travelled_seconds(FrameIndex index) const;
  void anchor_at(FrameIndex index, double travelled);

  FrameRate rate_;
  ClipRange range_;
  bool is_looping_ = true;
  double speed_ = 1;
  double offset_seconds_ = 0;
  FrameIndex anchor_index_;    // where the present speed began
  double anchor_seconds_ = 0;  // the clip's progress at anchor_index_
};

}  // namespace submix::io
