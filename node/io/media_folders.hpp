// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string_view>

namespace submix::io {

/// Where the file names of a show begin on this node. A name that is not absolute is taken from here, so
/// that a show may move between machines.
struct MediaFolders {
  std::filesystem::path media;       ///< clips and stills, read
  std::filesystem::path recordings;  ///< what `record` writes
};

/// `file` below `folder`; an absolute one stays as it is.
[[nodiscard]] inline std::filesystem::path resolve(const std::filesystem::path& folder,
                                                   std::string_view file) {
  return (folder / file).lexically_normal();
}

}  // namespace submix::io
