// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "node/io/clip/course.hpp"
#include "node/plugin/plugin.hpp"

#include <optional>

namespace submix::io {

/// The part of a clip that plays, in seconds since its first picture.
struct ClipRange {
  double in_seconds = 0;
  double out_seconds = 0;  ///< 0: to the end

  friend bool operator==(const ClipRange&, const ClipRange&) = default;
};

/// The known length of a clip.
struct ClipLength {
  double end_seconds = 0;  ///< end of the last picture; 0: not known yet
  double picture_seconds = 0.04;
};

/// Maps each frame of a show to a moment of a clip. Between two changes the same frame always has
/// the same moment, whatever the order of the calls.
///
/// A clip follows either its speed or the show's beats. With beats, the played part lasts so many
/// beats, and only the sign of the speed counts. A loop then begins on a beat: whatever changes the
/// clip moves it by half a beat at most, so that its beats are the show's. Only a jump is exact.
///
/// Threads  Compatible.
class ClipTimeline {
 public:
  explicit ClipTimeline(FrameRate rate) : rate_(rate) {}

  /// The range of another file, shown from frame `now` on: what has been played of the former one
  /// counts for the new one.
  void set_range(ClipRange range, FrameIndex now = {}, ClipLength length = {});
  /// Another range of the same file, from frame `now` on. The moment shown at `now` stays, unless
  /// it lies outside: then a loop goes on as if the range had always been this one, and a clip that
  /// moves towards its range continues at the near end.
  void move_range(ClipRange range, FrameIndex now, ClipLength length);
  [[nodiscard]] const ClipRange& range() const { return range_; }
  void set_loop(bool is_looping) { is_looping_ = is_looping; }
  /// From frame `now` on, shows a moment that is `seconds` later. A clip that has played to its end
  /// continues from there.
  void set_offset(double seconds, FrameIndex now, ClipLength length);
  /// Frame `first` shows the clip's beginning. With beats, a loop of n beats begins at beats 0, n,
  /// 2n, …, whenever the clip was started.
  void begin_at(FrameIndex first);
  /// Frame `now` shows the moment `seconds` after the beginning of the played part.
  void jump_to(double seconds, FrameIndex now) { anchor_at(now, seconds - offset_seconds_); }
  /// Changes the speed from frame `now` on; the moment shown at `now` does not jump. 0 freezes.
  void set_speed(double speed, FrameIndex now);
  /// From frame `now` on, the played part lasts `beats` beats; 0: as the speed says. A clip whose
  /// length is not known, or that is told no beat, follows its speed.
  void set_beats(double beats, FrameIndex now, ClipLength length);
  /// The show's beat at frame `now`.
  void tell_beat(plugin::Beat beat, FrameIndex now, ClipLength length);

  /// The beats that the played part lasts: those that were set, or twice, four times, … as many
  /// where fewer would exceed the greatest speed. 0: the clip follows its speed.
  [[nodiscard]] double lasting_beats() const { return lasting_beats_; }
  /// The moment of frame `index`. The picture to show is the last one that begins at or before this
  /// moment.
  [[nodiscard]] double seconds_at(FrameIndex index, ClipLength length) const {
    return course_at(index, length).seconds;
  }
  /// This moment and the moments after it.
  [[nodiscard]] Course course_at(FrameIndex index, ClipLength length) const;

 private:
  [[nodiscard]] ClipRange part_of(ClipLength length) const;
  [[nodiscard]] double travelled_seconds(FrameIndex index) const;
  [[nodiscard]] double beats_at(FrameIndex index) const;
  [[nodiscard]] double step_seconds() const;
  [[nodiscard]] double direction() const;
  [[nodiscard]] bool follows_beats() const { return lasting_beats_ > 0; }
  void anchor_at(FrameIndex index, double travelled);
  void settle_pace(FrameIndex now, ClipLength length);
  void align_to_beats(FrameIndex now);

  FrameRate rate_;
  ClipRange range_;
  bool is_looping_ = true;
  double speed_ = 1;
  double offset_seconds_ = 0;
  double beats_ = 0;           // as set
  double lasting_beats_ = 0;   // what they come to
  double seconds_a_beat_ = 0;  // of the clip; 0: it follows its speed
  std::optional<plugin::Beat> beat_{};
  FrameIndex beat_index_{};    // of `beat_`
  FrameIndex anchor_index_;    // where the present speed began
  double anchor_seconds_ = 0;  // the clip's progress at anchor_index_
  double anchor_beats_ = 0;    // the show's beat at anchor_index_
};

}  // namespace submix::io
