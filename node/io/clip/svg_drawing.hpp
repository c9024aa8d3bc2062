// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "node/io/ffmpeg.hpp"
#include "node/io/picture_fit.hpp"

#include <optional>

/// How an SVG file becomes a picture. FFmpeg's decoder `librsvg` draws it. The decoder gets the
/// text without a file name, so it follows no reference to another file or to the network.
namespace submix::io {

/// The frame for which an SVG is drawn. An empty size: in the size that the file states.
struct DrawnFor {
  Size size;
  Fit fit = Fit::letterbox;
};

/// The size that an SVG states, in whole pixels. Beyond 16384x16384 only the aspect ratio is right.
///
/// Cost     Reads the file's text; draws nothing.
/// Errors   Empty: it is not well-formed, or it states no size.
[[nodiscard]] std::optional<Size> stated_size(const AVCodec& librsvg, const AVPacket& text);
/// The size in which to draw an SVG, with the aspect ratio that it states. At least as large as it
/// is shown, but at most kDecodedPixelsMax pixels, and 16,384 pixels a side.
[[nodiscard]] Size drawn_size(Size stated, const DrawnFor& frame);
/// Divides colours by their alpha. This decoder multiplies them; other images are not
/// premultiplied.
void divide_by_alpha(AVFrame& picture);

}  // namespace submix::io
