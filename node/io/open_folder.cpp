// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/open_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

namespace submix::io {
namespace {

namespace fs = std::filesystem;

constexpr int kTriesMax = 16;  // while another program renames a part of the name
constexpr mode_t kFileMode = 0644;
constexpr mode_t kFolderMode = 0755;

struct FolderCloser {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

const char* reason() {
  return std::strerror(errno);
}

int refuse(int error) {
  errno = error;
  return -1;
}

}  // namespace

int open_beneath(int folder, const char* name, int flags) {
  open_how how{};
  how.flags = static_cast<decltype(how.flags)>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  for (int tries = 0; tries < kTriesMax; ++tries) {
    const auto opened = static_cast<int>(::syscall(SYS_openat2, folder, name, &how, sizeof(how)));
    if (opened >= 0 || (errno != EAGAIN && errno != EINTR)) {
      // EPERM: a container's filter.
      const bool is_unknown = opened < 0 && (errno == ENOSYS || errno == EPERM);
      return is_unknown ? open_beneath_by_steps(folder, name, flags) : opened;
    }
  }
  return -1;
}

int open_beneath_by_steps(int folder, std::string_view name, int flags) {
  Descriptor at;
  int from = folder;
  if (name.starts_with('/')) return refuse(EXDEV);
  while (true) {
    const auto slash = name.find('/');
    const std::string step(name.substr(0, slash));
    const auto rest = slash == std::string_view::npos ? std::string_view() : name.substr(slash + 1);
    if (step == "..") return refuse(EXDEV);
    if (rest.empty() && slash == std::string_view::npos)
      return ::openat(from, step.c_str(), flags | O_NOFOLLOW | O_CLOEXEC);
    if (!step.empty() && step != ".") {
      Descriptor next(::openat(from, step.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (!next) return -1;
      at = std::move(next);
      from = at.get();
    }
    name = rest.empty() ? std::string_view(".") : rest;
  }
}

Result<OpenFile> plain_file(Descriptor descriptor, fs::path path) {
  struct stat status{};
  if (::fstat(descriptor.get(), &status) != 0)
    return fail("{}: cannot be read: {}", path.string(), reason());
  if (S_ISDIR(status.st_mode))
    return fail("{}: is a folder, not a file; name a file in it", path.string());
  // A pipe or a device could block forever and cannot be rewound.
  if (!S_ISREG(status.st_mode)) {
    return fail(
        "{}: is not a plain file; the pictures of a program come into the show by: submix pipe in",
        path.string());
  }
  if (status.st_size == 0) return fail("{}: is empty (0 bytes)", path.string());
  return OpenFile{std::move(descriptor), std::move(path)};
}

std::string ending_of(const fs::path& name) {
  auto ending = name.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return ending;
}

Result<OpenFolder> OpenFolder::open(const fs::path& path) {
  Descriptor opened(::open(path.c_str(), kFolderFlags));
  if (!opened) return fail("folder {}: {}; make it, or name another one", path.string(), reason());
  return OpenFolder(std::move(opened), path);
}

OpenFolder::EntryType OpenFolder::entry_type(const std::string& name) const {
  struct stat status{};
  if (::fstatat(descriptor_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT ? EntryType::none : EntryType::other;
  if (S_ISREG(status.st_mode)) return EntryType::plain_file;
  if (S_ISDIR(status.st_mode)) return EntryType::folder;
  return S_ISLNK(status.st_mode) ? EntryType::link : EntryType::other;
}

Result<void> OpenFolder::check_writing() const {
  if (::faccessat(descriptor_.get(), ".", W_OK | X_OK, AT_EACCESS) == 0) return {};
  return fail("folder {}: {}; let this user write there, or name another folder", path_.string(),
              reason());
}

Result<OpenFile> OpenFolder::create_file(const std::string& name) const {
  constexpr int kCreating = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  Descriptor made(::openat(descriptor_.get(), name.c_str(), kCreating, kFileMode));
  if (!made) return fail("{}: cannot be written: {}", (path_ / name).string(), reason());
  return OpenFile{std::move(made), path_ / name};
}

Result<OpenFile> OpenFolder::continue_file(const std::string& name) const {
  constexpr int kContinuing = O_RDWR | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC;
  Descriptor opened(::openat(descriptor_.get(), name.c_str(), kContinuing));
  struct stat status{};
  if (!opened || ::fstat(opened.get(), &status) != 0)
    return fail("{}: cannot be written: {}", (path_ / name).string(), reason());
  if (!S_ISREG(status.st_mode)) return fail("{}: is not a plain file", (path_ / name).string());
  return OpenFile{std::move(opened), path_ / name};
}

Result<OpenFile> OpenFolder::open_file(const std::string& name) const {
  Descriptor opened(::openat(descriptor_.get(), name.c_str(), kReadingFlags | O_NOFOLLOW));
  if (!opened) return fail("{}: cannot be read: {}", (path_ / name).string(), reason());
  return plain_file(std::move(opened), path_ / name);
}

std::optional<OpenFolder> OpenFolder::open_folder(const std::string& name) const {
  Descriptor opened(::openat(descriptor_.get(), name.c_str(), kFolderFlags | O_NOFOLLOW));
  if (!opened) return std::nullopt;
  return OpenFolder(std::move(opened), path_ / name);
}

Result<OpenFolder> OpenFolder::make_folder(const std::string& name) const {
  const auto about = (path_ / name).string();
  if (::mkdirat(descriptor_.get(), name.c_str(), kFolderMode) != 0 && errno != EEXIST)
    return fail("{}: cannot be made: {}", about, reason());
  if (auto opened = open_folder(name)) return std::move(*opened);
  return fail("{}: cannot be made: {}", about, reason());
}

Result<void> OpenFolder::rename(const std::string& from, const std::string& to) const {
  if (::renameat(descriptor_.get(), from.c_str(), descriptor_.get(), to.c_str()) == 0) return {};
  return fail("{}: cannot be renamed to {}: {}", (path_ / from).string(), to, reason());
}

Result<void> OpenFolder::rename_if_free(const std::string& from, const std::string& to) const {
  if (::renameat2(descriptor_.get(), from.c_str(), descriptor_.get(), to.c_str(),
                  RENAME_NOREPLACE) == 0)
    return {};
  const bool is_known = errno != EINVAL && errno != ENOSYS;  // a file system may not know the flag
  if (errno == EEXIST || (!is_known && entry_type(to) != EntryType::none))
    return fail("{}: is there already; rename one of the two", (path_ / to).string());
  if (!is_known) return rename(from, to);
  return fail("{}: cannot be renamed to {}: {}", (path_ / from).string(), to, reason());
}

bool OpenFolder::remove(const std::string& name) const {
  return ::unlinkat(descriptor_.get(), name.c_str(), 0) == 0 ||
         ::unlinkat(descriptor_.get(), name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT;
}

std::vector<std::string> OpenFolder::names() const {
  std::vector<std::string> names;
  const int again = ::openat(descriptor_.get(), ".", kFolderFlags);  // with a position of its own
  const std::unique_ptr<DIR, FolderCloser> listed(again < 0 ? nullptr : ::fdopendir(again));
  while (listed) {
    const auto* found = ::readdir(listed.get());
    if (found == nullptr) break;
    const std::string name = found->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::uint64_t> OpenFolder::bytes_free() const {
  struct statvfs disk{};
  if (::fstatvfs(descriptor_.get(), &disk) != 0) return std::nullopt;
  return std::uint64_t{disk.f_bavail} * disk.f_frsize;
}

}  // namespace submix::io
