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

/// Opens `file`'s container for FFmpeg, from its first byte. FFmpeg reads this file only: it is given the
/// open file and no name, and whatever else a container refers to is refused. Only containers of video and
/// images are known: no playlist, no text, no description of another file.
///
/// Owner    The file is opened once more; `file` may go.
[[nodiscard]] Result<InputPointer> open_input(const OpenFile& file);

/// FFmpeg's way to write `file`, which it owns.
[[nodiscard]] IoPointer make_output(OpenFile file);

}  // namespace submix::io
