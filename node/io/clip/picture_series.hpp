// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/picture_series.hpp"
#include "node/io/ffmpeg.hpp"
#include "node/io/open_folder.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace submix::io {

/// The packets of a series of numbered pictures. FFmpeg's own reader would open files by name. This
/// one opens them within an open folder, and follows no link.
///
/// Shape    The pictures have places: 0, 1, 2, … up to the first missing number. The folder is
///          listed once. A picture that cannot be read or decoded is *lost*, and keeps its place.
/// Threads  Compatible.
/// Errors   open(): no picture has such a name.
class PictureSeries {
 public:
  [[nodiscard]] static Result<PictureSeries> open(const OpenFile& series);

  /// The first picture's container. It decides how all pictures are decoded.
  ///
  /// Errors   It cannot be read, or is not a still picture; the message names it.
  [[nodiscard]] Result<InputPointer> open_first() const;

  /// Fills `packet` with the next picture that can be read; its time is its place. Returns FFmpeg's
  /// code: AVERROR_EOF at the end.
  [[nodiscard]] int read(AVPacket& packet);
  void go_to(std::int64_t place);

  /// Counts the pictures between the one decoded before and this one as lost.
  void note_decoded(std::int64_t place);
  void note_end() { note_decoded(count()); }

  [[nodiscard]] std::int64_t count() const { return numbers_.count(); }
  [[nodiscard]] const show::SeriesNumbers& numbers() const { return numbers_; }
  /// The time of one picture.
  [[nodiscard]] AVRational time_base() const { return time_base_; }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }
  /// The place of the latest lost picture. Empty: none was lost so far.
  [[nodiscard]] std::optional<std::int64_t> lost_place() const { return lost_place_; }

 private:
  PictureSeries(OpenFolder folder, show::SeriesName name, show::SeriesNumbers numbers,
                AVRational time_base)
      : folder_(std::move(folder)),
        name_(std::move(name)),
        numbers_(numbers),
        time_base_(time_base) {}

  [[nodiscard]] Result<OpenFile> open_picture(std::int64_t place) const;

  OpenFolder folder_;
  show::SeriesName name_;
  show::SeriesNumbers numbers_;
  AVRational time_base_;
  std::int64_t next_ = 0;  // to be read
  std::int64_t due_ = 0;   // to be decoded
  std::uint64_t lost_ = 0;
  std::optional<std::int64_t> lost_place_;
};

}  // namespace submix::io
