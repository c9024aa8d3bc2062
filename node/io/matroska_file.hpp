// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/ffmpeg.hpp"
#include "node/io/media_folders.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>

namespace submix::io {

/// A Matroska file with one video track, written packet by packet.
///
/// Shape    Playable at any time, also when the process is killed: what was written half a second ago is
///          in the file. An index is added at the end.
/// Threads  Compatible.
/// Cost     Blocks when the disk is slow.
/// Errors   The file cannot be made, or written further (disk full); what is in it plays.
class MatroskaFile {
 public:
  /// `time_base` is one frame. A plain file or a link of that name is replaced, and nothing else: no pipe, no
  /// device, no folder.
  [[nodiscard]] static Result<MatroskaFile> create(const RecordingPlace& place,
                                                   const AVCodecParameters& parameters,
                                                   AVRational time_base);

  /// `packet`'s times are in `time_base`, and rise.
  [[nodiscard]] Result<void> write(const AVPacket& packet, AVRational time_base);
  /// Writes the index and closes the file; without it the destructor only closes.
  [[nodiscard]] Result<void> finish();
  [[nodiscard]] std::uint64_t bytes_written() const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  struct OutputDeleter {
    void operator()(AVFormatContext* output) const;
  };

  MatroskaFile() = default;

  std::filesystem::path path_;
  std::unique_ptr<AVFormatContext, OutputDeleter> output_;
  PacketPointer packet_;
};

/// Whether MatroskaFile::create() could make a file there, as far as that shows without making one.
[[nodiscard]] Result<void> check_recorded_file(const RecordingPlace& place);

}  // namespace submix::io
