// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/media_folders.hpp"

#include <filesystem>

namespace submix::io {

/// Opens a file of a test, wherever it lies.
[[nodiscard]] inline Result<OpenFile> open_any_file(const std::filesystem::path& path) {
  const MediaFolders any_folder{.media = "/", .recordings = {}, .allows_any_file = true};
  return open_media(any_folder, std::filesystem::absolute(path).string());
}

}  // namespace submix::io
