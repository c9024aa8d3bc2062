// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/clip_timeline.hpp"
#include "node/io/video_reader.hpp"

#include <optional>
#include <stop_token>

namespace submix::io {

/// Finds the picture that is to be seen at a moment of a clip: reads on where that is enough, searches
/// only to go back or far ahead.
///
/// Threads  Compatible.
class Playhead {
 public:
  explicit Playhead(VideoReader reader);

  /// The last undamaged picture that begins at or before `seconds`, where damage hides it the one before;
  /// never empty. When asked to stop, the best so far.
  [[nodiscard]] const ClipPicture& picture_at(double seconds, const std::stop_token& stop);

  /// By the header until the end was reached once, then as found.
  [[nodiscard]] ClipLength length() const { return length_; }
  /// The end was found, and this much before the one that the header states: the file is cut off.
  [[nodiscard]] double missing_seconds() const { return missing_seconds_; }
  /// Where damage was met last; empty: nowhere so far.
  [[nodiscard]] std::optional<double> damaged_at() const { return damaged_at_; }
  [[nodiscard]] const VideoReader& reader() const { return reader_; }

 private:
  void go_back_or_ahead(double seconds);
  [[nodiscard]] bool lands_before(double seconds);
  void read_on();
  void show(ClipPicture picture);
  void learn_end();

  VideoReader reader_;
  ClipPicture shown_;                // the last undamaged picture at or before the position
  double position_seconds_ = 0;      // where the last picture passed begins, damaged or not
  std::optional<ClipPicture> next_;  // the one after it; empty at the end
  ClipLength length_;
  double missing_seconds_ = 0;
  std::optional<double> damaged_at_;
  std::uint64_t faults_seen_ = 0;
};

}  // namespace submix::io
