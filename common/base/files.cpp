// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/files.hpp"

#include "common/base/descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace submix {
namespace {

// Bytes between two checks for a stop request.
constexpr std::size_t kPartBytes = std::size_t{1} << 20;

bool write_all(int fd, std::string_view text, const std::stop_token& stop) {
  while (!text.empty() && !stop.stop_requested()) {
    const auto written = ::write(fd, text.data(), std::min(text.size(), kPartBytes));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(fd) == 0;
}

// Of the file's mode; 0: not known.
mode_t type_of(int fd) {
  struct stat status{};
  return ::fstat(fd, &status) == 0 ? status.st_mode & S_IFMT : 0;
}

Result<std::string> read_all(int fd, const std::filesystem::path& path, std::size_t bytes_max) {
  std::string text(bytes_max + 1, '\0');
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const auto part = ::read(fd, text.data() + bytes, text.size() - bytes);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) return fail("{}: cannot be read: {}", path.string(), std::strerror(errno));
    if (part == 0) break;
    bytes += static_cast<std::size_t>(part);
  }
  if (bytes > bytes_max) return fail("{}: is larger than {} bytes", path.string(), bytes_max);
  text.resize(bytes);
  return text;
}

// Without `may_wait`, a pipe or a device is refused, and a pipe without a writer blocks nobody.
Result<std::string> read_text(const std::filesystem::path& path, std::size_t bytes_max,
                              bool may_wait) {
  const int waiting = may_wait ? 0 : O_NONBLOCK;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | waiting));
  if (!file) return fail("{}: cannot be read: {}", path.string(), std::strerror(errno));
  const auto type = type_of(file.get());
  if (type == S_IFDIR) return fail("{}: is a folder, not a file", path.string());
  if (!may_wait && type != S_IFREG)
    return fail("{}: is a pipe or a device, not a file", path.string());
  return read_all(file.get(), path, bytes_max);
}

bool is_own_folder(const std::string& folder) {
  struct stat status{};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return false;
  return status.st_uid == ::getuid() && (status.st_mode & 077U) == 0;
}

// A rename would put a plain file in the place of a device: as root, in that of /dev/null for all
// programs. A link to /proc, such as /dev/stdout, names an open file.
Result<void> check_replaceable(const std::filesystem::path& path) {
  std::error_code error;
  const auto target = std::filesystem::read_symlink(path, error);
  struct stat status{};
  const bool is_other = ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  if (is_other && S_ISDIR(status.st_mode))
    return fail("{}: is a folder; name a file", path.string());
  if (is_other || target.native().starts_with("/proc/"))
    return fail("{}: is a pipe or a device, and is not replaced; name a plain file", path.string());
  return {};
}

/// A folder that this user owns and no other user may read.
std::string own_folder_in_tmp() {
  auto folder = fmt::format("/tmp/submix-{}", ::getuid());
  if (::mkdir(folder.c_str(), 0700) == 0 || is_own_folder(folder)) return folder;
  folder += "-XXXXXX";  // the first name belongs to another user: a folder of this process only
  // A path that cannot exist.
  return ::mkdtemp(folder.data()) != nullptr ? folder : "/dev/null/submix";
}

// Empty: neither $`variable` nor a home is set.
std::filesystem::path xdg_home(const char* variable, const char* below_home) {
  const char* folder = std::getenv(variable);
  if (folder != nullptr && folder[0] == '/') return std::filesystem::path(folder) / "submix";
  const char* home = std::getenv("HOME");
  if (home == nullptr || home[0] != '/') return {};
  return std::filesystem::path(home) / below_home / "submix";
}

/// The state folder of a user without a home, such as a service's user.
std::filesystem::path homeless_state() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && runtime[0] == '/') return std::filesystem::path(runtime) / "submix";
  static const auto folder = own_folder_in_tmp();
  return folder;
}

}  // namespace

Result<std::string> read_text_file(const std::filesystem::path& path, std::size_t bytes_max) {
  return read_text(path, bytes_max, false);
}

Result<std::string> read_text_or_pipe(const std::filesystem::path& path) {
  constexpr std::size_t kBytesMax = std::size_t{1} << 20;
  return read_text(path, kBytesMax, true);
}

Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view text,
                                   unsigned mode, const std::stop_token& stop) {
  if (const auto refusal = check_replaceable(path); !refusal) return refusal;
  auto neighbour = path;
  neighbour += fmt::format(".{}.new", ::getpid());
  // O_EXCL and O_NOFOLLOW: never follows a link and never writes into a file of another user.
  constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  int fd = ::open(neighbour.c_str(), kNew, mode);
  // Left behind by an earlier process with the same id.
  if (fd < 0 && errno == EEXIST && ::unlink(neighbour.c_str()) == 0)
    fd = ::open(neighbour.c_str(), kNew, mode);
  if (fd < 0) return fail("{}: cannot be written: {}", path.string(), std::strerror(errno));
  const bool written = write_all(fd, text, stop);
  const int reason = errno;
  ::close(fd);
  if (stop.stop_requested()) {
    ::unlink(neighbour.c_str());
    return fail("{}: given up", path.string());
  }
  if (!written || ::rename(neighbour.c_str(), path.c_str()) != 0) {
    const int code = written ? errno : reason;
    ::unlink(neighbour.c_str());
    return fail("{}: cannot be written: {}", path.string(), std::strerror(code));
  }
  return {};
}

std::filesystem::path state_home() {
  const auto folder = xdg_home("XDG_STATE_HOME", ".local/state");
  return folder.empty() ? homeless_state() : folder;
}

std::filesystem::path config_home() {
  const auto folder = xdg_home("XDG_CONFIG_HOME", ".config");
  return folder.empty() ? homeless_state() : folder;
}

}  // namespace submix
