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
/// Shape    Playable at any time, even after the process is killed: the file has everything that
///          was written at least half a second ago. An index is added at the end.
/// Threads  Compatible.
/// Cost     Blocks when the disk is slow.
/// Errors   The file cannot be made or extended (disk full), or was deleted. The part already
///          written is playable. A file without a picture is removed when it is closed.
class MatroskaFile {
 public:
  /// `time_base` is one frame. Replaces a plain file or a link of the same name; a pipe, a device
  /// or a folder is an error.
  [[nodiscard]] static Result<MatroskaFile> create(const RecordingPlace& place,
                                                   const AVCodecParameters& parameters,
                                                   AVRational time_base);

  /// The times of `packet` are in `time_base` and rise.
  [[nodiscard]] Result<void> write(const AVPacket& packet, AVRational time_base);
  /// Writes the index and closes the file. Without finish(), the destructor only closes the file.
  [[nodiscard]] Result<void> finish();
  [[nodiscard]] std::uint64_t bytes_written() const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  class MadeFile;
  struct MadeFileDeleter {
    void operator()(MadeFile* file) const;
  };
  struct OutputDeleter {
    void operator()(AVFormatContext* output) const;
  };

  MatroskaFile() = default;

  std::filesystem::path path_;
  std::unique_ptr<MadeFile, MadeFileDeleter> made_;  // outlives output_, which writes at its end
  std::unique_ptr<AVFormatContext, OutputDeleter> output_;
  PacketPointer packet_;
};

/// Whether MatroskaFile::create() could make a file at `place`. Makes none.
[[nodiscard]] Result<void> check_recorded_file(const RecordingPlace& place);

}  // namespace submix::io
