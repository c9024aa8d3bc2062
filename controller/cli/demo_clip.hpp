// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/stop_signal.hpp"

#include <filesystem>

namespace submix::cli {

/// Makes a ten-second 1280x720 H.264 clip with ffmpeg's generators, unless `file` exists. Fails
/// when interrupted.
[[nodiscard]] Result<void> make_demo_clip(const std::filesystem::path& file, StopSignal& stop);

}  // namespace submix::cli
