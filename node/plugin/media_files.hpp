// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/file_state.hpp"
#include "common/base/result.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace submix::plugin {

/// How a built-in plugin reads files that a show names. The names are confined to the node's media
/// folder. Both functions wait for the disk, and may be called on any thread.
struct MediaFiles {
  /// The whole file. Errors: it is missing, out of the folder, or longer than `bytes_max`. Empty:
  /// this program reads no files.
  std::function<Result<std::string>(const std::string& file, std::size_t bytes_max)> read = {};
  /// A state that differs when the file has changed. Set together with `read`.
  std::function<std::optional<FileState>(const std::string& file)> state = {};
};

}  // namespace submix::plugin
