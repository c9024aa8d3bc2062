// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <filesystem>
#include <string>
#include <utility>

namespace submix::cli {

/// A new folder for what a program needs only while it runs; gone when this object goes.
///
/// Owner    Holds a lock on the folder, which the kernel lets go however the program ends: whoever can take
/// the
///          lock has found a leftover. make() removes those.
/// Threads  Compatible.
class StateFolder {
 public:
  /// Makes "`parent`/`prefix`XXXXXX", once the leftovers of that name that this user owns are removed.
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
