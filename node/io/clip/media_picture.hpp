// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/media/image.hpp"
#include "node/io/clip/picture_source.hpp"

#include <chrono>
#include <string>

namespace submix::io {

/// A clip or a still as people choose it by eye.
struct MediaPicture {
  media::Rgb24Image picture;
  Size own_size;       ///< of the file's pictures
  double seconds = 0;  ///< 0: a still, or the length is not known
  double rate = 0;     ///< pictures a second; 0: a still
  std::string codec;   ///< FFmpeg's name: "h264"
  /// Time on cores for one picture, as a mean of some around the moment; in a decoder of its own
  /// process. 0: a still, or a file that is not read on.
  std::chrono::nanoseconds decoding{0};
};

/// Decodes one picture of a file, independently of any show that plays it. The decoder has a lower
/// priority than shows.
///
/// Shape    `size`, with black bars where the file has another shape. `at` is a part of the file's
///          length, 0 to 1; other values are clamped.
/// Cost     Starts a decoder, about 50 ms, and decodes from the last key picture on; then up to
///          8 pictures more, for at most about 100 ms, to know what one costs.
/// Errors   As SourceOpener::open().
[[nodiscard]] Result<MediaPicture> read_media_picture(OpenFile file, Size size, double at,
                                                      const SourceOpener& opener);

}  // namespace submix::io
