// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/mount.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

namespace submix::testing {

/// A file system of a few megabytes, mounted at the new folder `folder`. The destructor unmounts
/// it.
///
/// Errors   is_ready(): false without root, or if mounting is forbidden.
class SmallDisk {
 public:
  explicit SmallDisk(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
    is_ready_ = ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=3m") == 0;
  }
  ~SmallDisk() {
    if (is_ready_) ::umount2(folder_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  /// Text for GTEST_SKIP().
  static constexpr const char* kNeeds = "needs root, to mount a small tmpfs";

  [[nodiscard]] bool is_ready() const { return is_ready_; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  void fill() const {
    std::ofstream file(folder_ / "filling", std::ios::binary);
    const std::string block(4096, 'x');
    while (file.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }

 private:
  const std::filesystem::path folder_;
  bool is_ready_ = false;
};

}  // namespace submix::testing
