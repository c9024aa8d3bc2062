// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"

#include <fcntl.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::io {

/// An open plain file, and its name for people. For a series of numbered pictures, the descriptor
/// is the folder's, and `path` ends with the pattern (show::series_name()).
struct OpenFile {
  Descriptor descriptor;
  std::filesystem::path path;
  double series_rate = 0;  ///< pictures a second of a series; 0: a plain file
  int sound_track = 0;     ///< the one that is heard, from 1; 0: the main one

  [[nodiscard]] bool is_series() const { return series_rate > 0; }
};

/// The ending of a file's name, with its dot, in lower case: ".jpg" of "Sea.JPG".
[[nodiscard]] std::string ending_of(const std::filesystem::path& name);

/// An open folder, for the entries directly in it: a name has no "/" and is not "..". If the folder
/// is moved or replaced, this object still means the same folder.
///
/// Threads  Immutable; other programs may change the file system.
/// Cost     Waits for the disk, never for the other end of a pipe.
class OpenFolder {
 public:
  enum class EntryType { none, plain_file, folder, link, other };

  OpenFolder(Descriptor descriptor, std::filesystem::path path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}
  [[nodiscard]] static Result<OpenFolder> open(const std::filesystem::path& path);

  /// The type of `name`. Does not follow links.
  [[nodiscard]] EntryType entry_type(const std::string& name) const;
  /// Tells whether entries can be made, renamed and removed in the folder. The disk may still be
  /// full.
  [[nodiscard]] Result<void> check_writing() const;
  /// Makes a new plain file for writing. Fails if anything has this name, even a pipe or a link.
  [[nodiscard]] Result<OpenFile> create_file(const std::string& name) const;
  /// Opens a plain file, made by create_file(), for reading and writing. Does not follow links.
  [[nodiscard]] Result<OpenFile> continue_file(const std::string& name) const;
  /// Opens a plain file for reading. Does not follow links.
  [[nodiscard]] Result<OpenFile> open_file(const std::string& name) const;
  /// Empty: there is no such folder. Links are not followed.
  [[nodiscard]] std::optional<OpenFolder> open_folder(const std::string& name) const;
  /// The folder of this name, made if it is missing.
  [[nodiscard]] Result<OpenFolder> make_folder(const std::string& name) const;
  /// Replaces a file `to`.
  [[nodiscard]] Result<void> rename(const std::string& from, const std::string& to) const;
  /// Fails if anything has the name `to`.
  [[nodiscard]] Result<void> rename_if_free(const std::string& from, const std::string& to) const;
  /// Removes a file, a link or an empty folder. False: it is still there.
  bool remove(const std::string& name) const;

  /// The names of all entries, sorted.
  [[nodiscard]] std::vector<std::string> names() const;
  /// Bytes that this user may still write to the disk. Empty: unknown.
  [[nodiscard]] std::optional<std::uint64_t> bytes_free() const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }

 private:
  Descriptor descriptor_;
  std::filesystem::path path_;
};

/// Makes an OpenFile of `descriptor` if it is a plain file that is not empty. `path` is for people.
[[nodiscard]] Result<OpenFile> plain_file(Descriptor descriptor, std::filesystem::path path);

/// Flags for reading a file. Opening a pipe does not wait. A terminal does not become the
/// controlling terminal of this process.
inline constexpr int kReadingFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
inline constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

/// Like openat(), but no part of `name` may lead out of `folder`: no "..", no absolute name or
/// link, no link that leads out. Returns -1 with errno EXDEV or ELOOP otherwise.
[[nodiscard]] int open_beneath(int folder, const char* name, int flags);
/// The same for a kernel before 5.6. Follows no link and no "..", not even inside the folder.
[[nodiscard]] int open_beneath_by_steps(int folder, std::string_view name, int flags);

}  // namespace submix::io
