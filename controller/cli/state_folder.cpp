// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/state_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace submix::cli {
namespace {

namespace fs = std::filesystem;

// Closed by exec, so that a surviving child does not hold the lock.
int open_folder(const fs::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

void remove_if_left(const fs::path& path) {
  const int folder = open_folder(path);
  if (folder < 0) return;
  struct stat status{};
  const bool is_own = ::fstat(folder, &status) == 0 && status.st_uid == ::geteuid();
  if (is_own && ::flock(folder, LOCK_EX | LOCK_NB) == 0) {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  ::close(folder);
}

void remove_leftovers(const fs::path& parent, const std::string& prefix) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    if (entry.path().filename().string().starts_with(prefix)) remove_if_left(entry.path());
  }
}

bool is_there(const fs::path& path, int folder) {
  struct stat by_name{};
  struct stat by_descriptor{};
  return ::stat(path.c_str(), &by_name) == 0 && ::fstat(folder, &by_descriptor) == 0 &&
         by_name.st_ino == by_descriptor.st_ino;
}

}  // namespace

Result<StateFolder> StateFolder::make(const fs::path& parent, const std::string& prefix) {
  remove_leftovers(parent, prefix);
  while (true) {
    auto pattern = (parent / (prefix + "XXXXXX")).string();
    if (::mkdtemp(pattern.data()) == nullptr)
      return fail("{}: no folder can be made there: {}", parent.string(), std::strerror(errno));
    const int folder = open_folder(pattern);
    if (folder < 0 && errno != ENOENT) return fail("{}: {}", pattern, std::strerror(errno));
    // without locks no program takes the folder for a leftover
    if (folder >= 0) ::flock(folder, LOCK_EX);
    if (folder >= 0 && is_there(pattern, folder)) return StateFolder(pattern, folder);
    if (folder >= 0)
      // another program took it for a leftover before the lock: try again
      ::close(folder);
  }
}

StateFolder::StateFolder(StateFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

StateFolder::~StateFolder() {
  if (lock_ < 0) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  ::close(lock_);
}

}  // namespace submix::cli
