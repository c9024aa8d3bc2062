// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace submix::clips {

/// A clip, and the arguments of the `ffmpeg` command that make it.
struct ClipFile {
  std::string name;
  double seconds = 10;
  std::vector<std::string> source = {};    ///< instead of a test picture of 1280x720 at 30 fps
  std::vector<std::string> encoding = {};  ///< empty: copied from `source`
  bool is_damaged = false;                 ///< some of its bytes are overwritten
};

/// Twelve clips as people bring them.
[[nodiscard]] std::vector<ClipFile> clip_files();

/// Makes a clip in `folder`, unless it is there.
///
/// Errors   The command is missing or fails; the message names its log.
[[nodiscard]] Result<void> make_clip_file(const ClipFile& clip,
                                          const std::filesystem::path& folder);

}  // namespace submix::clips
