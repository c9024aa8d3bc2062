// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::io {

/// A plain file that is open, and its name for people.
struct OpenFile {
  Descriptor descriptor;
  std::filesystem::path path;
};

/// A folder that is open, for the entries right in it: a name has no "/" and is not "..". A folder that is
/// moved or replaced meanwhile leads nowhere else.
///
/// Threads  Immutable; the file system is shared with all others.
/// Cost     Waits for the disk, never for the other end of a pipe.
class OpenFolder {
 public:
  enum class Entry { none, plain_file, folder, link, other };

  OpenFolder(Descriptor descriptor, std::filesystem::path path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}
  [[nodiscard]] static Result<OpenFolder> open(const std::filesystem::path& path);

  /// What `name` is; a link is not followed.
  [[nodiscard]] Entry entry(const std::string& name) const;
  /// Whether entries can be made, renamed and removed in it; the disk may be full all the same.
  [[nodiscard]] Result<void> check_writing() const;
  /// A new plain file, for writing. Fails where anything has that name, a pipe or a link included.
  [[nodiscard]] Result<OpenFile> create_file(const std::string& name) const;
  /// A plain file, for reading; no link.
  [[nodiscard]] Result<OpenFile> open_file(const std::string& name) const;
  /// Empty: there is no such folder; a link to one is none.
  [[nodiscard]] std::optional<OpenFolder> open_folder(const std::string& name) const;
  /// The folder of that name, made where it is not there.
  [[nodiscard]] Result<OpenFolder> make_folder(const std::string& name) const;
  /// Takes the place of a file `to`.
  [[nodiscard]] Result<void> rename(const std::string& from, const std::string& to) const;
  /// A file, a link or an empty folder; false: it is still there.
  bool remove(const std::string& name) const;

  /// Of all entries, sorted.
  [[nodiscard]] std::vector<std::string> names() const;
  /// That this user may still write to the disk; empty: the disk does not say.
  [[nodiscard]] std::optional<std::uint64_t> bytes_free() const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }

 private:
  Descriptor descriptor_;
  std::filesystem::path path_;
};

/// `descriptor` as an open file where it is one that can be read to its end; `path` for people.
[[nodiscard]] Result<OpenFile> plain_file(Descriptor descriptor, std::filesystem::path path);

/// As openat(), but no part of `name` leads out of `folder`: neither "..", nor an absolute name or link, nor
/// a link that leads out. -1 and errno EXDEV or ELOOP where one does.
[[nodiscard]] int open_beneath(int folder, const char* name, int flags);
/// The same for a kernel before 5.6: follows no link and no "..", even where they stay within.
[[nodiscard]] int open_beneath_by_steps(int folder, std::string_view name, int flags);

}  // namespace submix::io
