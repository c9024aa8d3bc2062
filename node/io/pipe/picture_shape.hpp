// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "node/io/pipe/pipe_options.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace submix::io {

/// The format of a stream's pictures. All pictures that come by one pipe have the same.
struct PictureShape {
  PipeFormat format = PipeFormat::raw;
  Size size;
  std::optional<FrameRate> rate{};  ///< empty: not stated by the stream
  int pixel_format = -1;            ///< AVPixelFormat
  bool has_full_range = false;      ///< of Y'CbCr
  int aspect_numerator = 1;         ///< of a pixel
  int aspect_denominator = 1;
};

/// The bytes of one picture: its planes without padding. Fails for a forbidden size, and for pixels
/// that FFmpeg does not know. The message begins with `about`.
[[nodiscard]] Result<std::size_t> picture_bytes(const PictureShape& shape, std::string_view about);

}  // namespace submix::io
