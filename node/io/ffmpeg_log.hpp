// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix::io {

/// Silences FFmpeg's own lines on stderr, for the whole process. Our functions return its errors.
void silence_ffmpeg();

}  // namespace submix::io
