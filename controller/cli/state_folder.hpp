// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <filesystem>
#include <string>
#include <utility>

namespace submix::cli {

/// A new folder for a program's temporary files. The destructor removes it.
///
/// Owner    Holds a lock on the folder, which the kernel releases at the program's end, even after
///          a crash. A folder whose lock is free is a leftover. make() removes leftovers.
/// Threads  Compatible.
class StateFolder {
 public:
  /// Removes this user's leftovers of that name, then makes "`parent`/`prefix`XXXXXX".
  [[nodiscard]] static Result<StateFolder> make(const std::filesystem::path& parent,
                                                const std::string& prefix);
  StateFolder(StateFolder&& other) noexcept;
  StateFolder& operator=(StateFolder&&) = delete;
  ~StateFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  StateFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_;  // descriptor of the folder; -1: moved from
};

}  // namespace submix::cli
