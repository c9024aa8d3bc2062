// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/clip/clip_timeline.hpp"
#include "node/io/clip/video_reader.hpp"

#include <optional>
#include <stop_token>

namespace submix::io {

/// Finds the picture for a moment of a clip. Reads on if that is enough; seeks only to go back or
/// far ahead.
///
/// Threads  Compatible.
class Playhead {
 public:
  explicit Playhead(VideoReader reader);

  /// The last undamaged picture that begins at or before `seconds`; never empty. When asked to
  /// stop, the best picture so far.
  [[nodiscard]] const ClipPicture& picture_at(double seconds, const std::stop_token& stop);

  /// The header's length until the end was reached once, then the real length.
  [[nodiscard]] ClipLength length() const { return length_; }
  /// If above 0, the clip was found to end this much before the end stated in its header: the file
  /// is cut off.
  [[nodiscard]] double missing_seconds() const { return missing_seconds_; }
  /// The moment of the latest damage. Empty: none so far.
  [[nodiscard]] std::optional<double> damaged_at() const { return damaged_at_; }
  [[nodiscard]] const VideoReader& reader() const { return reader_; }

 private:
  void go_back_or_ahead(double seconds);
  [[nodiscard]] bool lands_before(double seconds);
  void read_on();
  void show(ClipPicture picture);
  void learn_end();

  VideoReader reader_;
  ClipPicture shown_;                // last undamaged picture at or before the position
  double position_seconds_ = 0;      // begin of the last picture passed, damaged or not
  std::optional<ClipPicture> next_;  // the picture after it; empty at the end
  ClipLength length_;
  double missing_seconds_ = 0;
  std::optional<double> damaged_at_;
  std::uint64_t faults_seen_ = 0;
};

}  // namespace submix::io
