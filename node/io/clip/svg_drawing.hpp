// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "node/io/ffmpeg.hpp"
#include "node/io/picture_fit.hpp"

#include <optional>

/// How an SVG file becomes a picture. FFmpeg's decoder `librsvg` draws it. It is given the text and
/// no place of it, so the library follows no reference to another file or to the network.
namespace submix::io {

/// The frame that a picture without pixels of its own is drawn for. An empty size: as the file
/// states it.
struct DrawnFor {
  Size size;
  Fit fit = Fit::letterbox;
};

/// The size that an SVG states, in whole pixels. Beyond 16384x16384 only its aspect is right.
///
/// Cost     Reads the file's text; draws nothing.
/// Errors   Empty: it is not well-formed, or it states no size.
[[nodiscard]] std::optional<Size> stated_size(const AVCodec& librsvg, const AVPacket& text);
/// The size to draw an SVG in, with the aspect that it states. It is at least as large as it is
/// shown, but has at most kDecodedPixelsMax pixels and sides of 16,384.
[[nodiscard]] Size drawn_size(Size stated, const DrawnFor& frame);
/// The decoder multiplies colours by their alpha. Undoes this, since other images have them
/// unmultiplied.
void divide_by_alpha(AVFrame& picture);

}  // namespace submix::io
