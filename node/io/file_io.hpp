// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"
#include "node/io/ffmpeg.hpp"
#include "node/io/open_folder.hpp"

#include <cstdint>

namespace submix::io {

/// The largest picture that is decoded: a show's own limit.
inline constexpr std::int64_t kDecodedPixelsMax = std::int64_t{8192} * 8192;

/// The longest file of one image.
inline constexpr std::int64_t kImageBytesMax = kDecodedPixelsMax * 4;

/// Opens `file`'s container for FFmpeg, from its first byte. FFmpeg gets the open file and no name,
/// so it reads this file only. A container that refers to other files is refused. Only containers
/// of video and images are known: no playlist, no text, no description of another file.
///
/// Owner    The descriptor is duplicated; `file` may be destroyed.
[[nodiscard]] Result<InputPointer> open_input(const OpenFile& file);

/// Lets FFmpeg examine the streams of an input. It decodes some pictures, none larger than
/// kDecodedPixelsMax. Returns FFmpeg's code, negative for a failure.
[[nodiscard]] int find_streams(AVFormatContext& input);

/// An output for FFmpeg that writes and owns `file`.
[[nodiscard]] IoPointer make_output(OpenFile file);

}  // namespace submix::io
