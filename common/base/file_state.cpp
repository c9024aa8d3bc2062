// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/file_state.hpp"

#include <sys/stat.h>

namespace submix {
namespace {

FileState state_from(const struct stat& status) {
  constexpr std::int64_t kNanosecondsOfSecond = 1'000'000'000;
  return FileState{
      .inode = status.st_ino,
      .bytes = static_cast<std::uint64_t>(status.st_size),
      .changed_ns = status.st_ctim.tv_sec * kNanosecondsOfSecond + status.st_ctim.tv_nsec};
}

}  // namespace

std::optional<FileState> state_of(const std::filesystem::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return state_from(status);
}

std::optional<FileState> state_of(int descriptor) {
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) return std::nullopt;
  return state_from(status);
}

}  // namespace submix
