// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/media_folders.hpp"
#include "node/io/open_folder.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace submix::io {

/// A clip or a still that is being copied into the media folder. It is a hidden file there until it
/// is complete. An interrupted copy continues where it ended.
///
/// Threads  Compatible.
/// Errors   The disk is full or cannot be written; the message names the file.
class IncomingMedia {
 public:
  /// The original file.
  struct Origin {
    std::uint64_t bytes = 0;
    std::int64_t changed_ns = 0;  ///< the time of its last change
  };
  /// Disk space that stays free, for recordings.
  static constexpr std::uint64_t kBytesLeftFree = std::uint64_t{1} << 30U;
  static constexpr std::uint64_t kBytesMax = std::uint64_t{1} << 40U;  ///< of a file

  /// `file` is a name relative to the media folder; missing folders are made.
  ///
  /// Errors   The name leads out of the folder, is hidden, or does not end like a clip's or a
  ///          still's. Another file has the name. The disk has too little room.
  [[nodiscard]] static Result<IncomingMedia> open(const MediaFolders& folders,
                                                  const std::string& file, const Origin& origin);

  /// Bytes copied so far.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// In total, at most the origin's bytes.
  [[nodiscard]] Result<void> append(std::string_view bytes);
  /// Gives the complete file its name. Fails if another file has taken the name meanwhile.
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
  std::uint64_t room_seen_at_ = 0;  // bytes_ when the disk's free room was last checked
};

/// Whether a file of this name may be copied between computers: it ends like a clip or a still,
/// lies below the media folder, and no part of the name is hidden.
[[nodiscard]] Result<void> check_copied_name(const std::string& file);
/// Opens a file below the media folder that another computer wants to copy.
///
/// Errors   As check_copied_name() and open_media(). A series of pictures cannot be copied.
[[nodiscard]] Result<OpenFile> open_copied(const MediaFolders& folders, const std::string& file);

}  // namespace submix::io
