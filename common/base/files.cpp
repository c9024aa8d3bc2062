// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

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

bool is_own_folder(const std::string& folder) {
  struct stat status{};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return false;
  return status.st_uid == ::getuid() && (status.st_mode & 077U) == 0;
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
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return fail("{}: is a folder, not a file", path.string());
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail("{}: cannot be read: {}", path.string(), std::strerror(errno));
  std::string text;
  text.resize(bytes_max + 1);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > bytes_max) return fail("{}: is larger than {} bytes", path.string(), bytes_max);
  return text;
}

Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view text,
                                   unsigned mode, const std::stop_token& stop) {
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
