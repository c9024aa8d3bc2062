// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix::io {

/// FFmpeg's own lines on stderr are silenced, for the process: what matters comes back as an error.
void silence_ffmpeg();

}  // namespace submix::io
