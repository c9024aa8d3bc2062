// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/clip/clip_timeline.hpp"
#include "node/io/clip/read_plan.hpp"
#include "node/io/clip/video_reader.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace submix::io {

/// Reads a clip picture by picture, and tells how long each is shown. A damaged picture is left
/// out: the good one before it stays.
///
/// Threads  Compatible.
class Playhead final : public StretchReader {
 public:
  explicit Playhead(VideoReader reader);

  [[nodiscard]] double position_seconds() const override { return begin_seconds_; }
  [[nodiscard]] bool can_skip_to(double seconds) const override;
  [[nodiscard]] std::optional<Stretch> read_on() override;
  /// If the file can no longer be read, the last good picture is shown at all moments.
  void seek(double seconds) override;

  /// The header's length until the end was reached once, then the real length. Pictures beyond the
  /// header's end count as they are read.
  [[nodiscard]] ClipLength length() const { return length_; }
  [[nodiscard]] const char* codec() const { return reader_.codec(); }
  /// If above 0, the file is truncated: the clip ends this much before the end stated in its
  /// header.
  [[nodiscard]] double missing_seconds() const { return missing_seconds_; }
  /// The moment of the latest damage. Empty: none so far.
  [[nodiscard]] std::optional<double> damaged_at() const { return damaged_at_; }
  [[nodiscard]] std::uint64_t faults() const { return reader_.faults(); }
  /// The numbers of a series of pictures. Empty: the file is not a series.
  [[nodiscard]] std::optional<show::SeriesNumbers> series() const {
    const auto* series = reader_.series();
    return series == nullptr ? std::nullopt : std::optional(series->numbers());
  }

 private:
  [[nodiscard]] bool lands_before(double seconds);
  [[nodiscard]] std::optional<ClipPicture> next();
  [[nodiscard]] Stretch shown_until(double end_seconds) const;
  [[nodiscard]] std::optional<double> lost_seconds() const;
  void learn_end();

  VideoReader reader_;
  std::shared_ptr<const ClipPicture> shown_;  // last undamaged one at or before the position
  double begin_seconds_ = 0;                  // read_on() has returned everything before this
  double read_seconds_ = 0;                   // begin of the last picture read, damaged or not
  double read_until_seconds_ = 0;             // its end
  double no_key_until_seconds_ = 0;           // no key picture from the last landing to here
  bool is_gone_ = false;
  ClipLength length_;
  double missing_seconds_ = 0;
  std::optional<double> damaged_at_;
  std::uint64_t faults_seen_ = 0;
};

}  // namespace submix::io
