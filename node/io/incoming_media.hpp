// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/media_folders.hpp"
#include "node/io/open_folder.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace submix::io {

/// A clip or a still on its way into the media folder. It lies there as a hidden file until it is
/// whole. A copy that was broken off goes on where it ended.
///
/// Threads  Compatible.
/// Errors   The disk is full or cannot be written; the message names the file.
class IncomingMedia {
 public:
  /// The file at the place where it comes from.
  struct Origin {
    std::uint64_t bytes = 0;
    std::int64_t changed_ns = 0;  ///< when it was changed last
  };
  /// Disk space that stays free, for recordings.
  static constexpr std::uint64_t kBytesLeftFree = std::uint64_t{1} << 30U;
  static constexpr std::uint64_t kBytesMax = std::uint64_t{1} << 40U;  ///< of a file

  /// `file` is a name relative to the media folder; missing folders are made.
  ///
  /// Errors   The name leads out of the folder, is hidden, or is that of no clip and no still.
  ///          Another file has the name. The disk has no room.
  [[nodiscard]] static Result<IncomingMedia> open(const MediaFolders& folders,
                                                  const std::string& file, const Origin& origin);

  /// Bytes that are there.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// At most the origin's bytes in all.
  [[nodiscard]] Result<void> append(std::string_view bytes);
  /// Puts the file, now whole, in its place. Fails if another file has come there meanwhile.
  [[nodiscard]] Result<void> finish();

 private:
  IncomingMedia(OpenFolder folder, std::string name, OpenFile part, std::uint64_t bytes,
                std::uint64_t bytes_all)
      : folder_(std::move(folder)),
        name_(std::move(name)),
        part_(std::move(part)),
        bytes_(bytes),
        bytes_all_(bytes_all) {}
  [[nodiscard]] std::string part_name() const { return part_.path.filename().string(); }

  OpenFolder folder_;
  std::string name_;  // in the folder
  OpenFile part_;
  std::uint64_t bytes_ = 0;
  std::uint64_t bytes_all_ = 0;
  std::uint64_t room_seen_at_ = 0;  // bytes that were there when the disk's room was seen last
};

/// Whether a file of this name may be copied from one computer to another one: a clip or a still by
/// its ending, below the media folder, and no part of the name hidden.
[[nodiscard]] Result<void> check_copied_name(const std::string& file);
/// Opens a file below the media folder that another computer wants to copy.
///
/// Errors   As check_copied_name() and open_media(). A series of pictures is no file.
[[nodiscard]] Result<OpenFile> open_copied(const MediaFolders& folders, const std::string& file);

}  // namespace submix::io
