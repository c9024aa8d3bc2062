// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/clip/picture_series.hpp"
#include "node/io/clip/svg_drawing.hpp"
#include "node/io/ffmpeg.hpp"
#include "node/io/open_folder.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace submix::io {

/// One picture of a clip. The pixels belong to `frame`.
struct ClipPicture {
  FramePointer frame;
  double seconds = 0;        ///< since the clip's first picture
  double lasts_seconds = 0;  ///< as the file says, else as pictures last on average
  std::uint64_t serial = 0;  ///< differs for any two pictures read
  bool is_damaged = false;   ///< the decoder had to guess parts of it
  Size own_size;             ///< as the file states it; an SVG is drawn in another size
};

/// Decodes the first video stream of a file, or a series of pictures, one after another. Reads any
/// container that open_input() knows. An SVG is drawn for the frame that shows it.
///
/// Threads  Compatible; the decoder may use codec_threads() threads of its own.
/// Cost     next(): decodes a picture, or tries the rest of the file if no packet can be decoded.
/// Errors   open(): no video, no picture that can be decoded, or pictures of more than 8192x8192
///          pixels; the message names the file. Later damage is skipped and counted.
class VideoReader {
 public:
  /// Also decodes the first picture.
  [[nodiscard]] static Result<VideoReader> open(OpenFile file, const DrawnFor& drawn_for = {});

  /// The next picture in order of presentation; empty at the end.
  [[nodiscard]] std::optional<ClipPicture> next();
  /// Seeks to a key picture, at or before `seconds` if the file's index is right. False: the file
  /// cannot be seeked in; the position is undefined until restart().
  [[nodiscard]] bool seek(double seconds);
  /// The key picture that the file lists at or before `seconds`. Empty: the list does not reach so
  /// far, or the file has none.
  [[nodiscard]] std::optional<double> key_before(double seconds) const;
  /// Goes back to the first picture. Opens the container again if it cannot be seeked in. False:
  /// its beginning can no longer be read.
  [[nodiscard]] bool restart();

  /// The video's length by the file's header, in whole pictures; 0 if the header does not state it.
  [[nodiscard]] double duration_seconds() const { return duration_seconds_; }
  /// The average duration of one picture.
  [[nodiscard]] double picture_seconds() const { return picture_seconds_; }
  /// FFmpeg's name of the video's codec: "h264".
  [[nodiscard]] const char* codec() const { return avcodec_get_name(decoder_->codec_id); }
  /// Packets, or pictures of a series, that could not be decoded so far.
  [[nodiscard]] std::uint64_t faults() const { return series_ ? series_->lost() : faults_; }
  /// Null: the file is no series of pictures.
  [[nodiscard]] const PictureSeries* series() const { return series_ ? &*series_ : nullptr; }
  [[nodiscard]] const std::filesystem::path& path() const { return file_.path; }

 private:
  VideoReader() = default;

  Result<void> open_input();
  Result<void> open_decoder(const AVCodec& codec, AVDictionary* options = nullptr);
  Result<void> open_drawing(const AVCodec& librsvg);
  void measure();
  Result<void> read_first();
  [[nodiscard]] std::optional<ClipPicture> decode();
  [[nodiscard]] bool feed();
  [[nodiscard]] int read_packet();
  [[nodiscard]] ClipPicture stamp(FramePointer frame);
  [[nodiscard]] AVRational time_base() const;
  [[nodiscard]] std::int64_t ticks_at(double seconds) const;

  [[nodiscard]] std::string about() const { return file_.path.string(); }

  OpenFile file_;
  DrawnFor drawn_for_;
  std::optional<Size> stated_size_;  // of an SVG
  std::optional<PictureSeries> series_;
  InputPointer input_;  // of a series: its first picture's
  CodecPointer decoder_;
  PacketPointer packet_;
  int stream_index_ = -1;
  std::optional<ClipPicture> first_;  // decoded by open(), not returned yet
  std::optional<std::int64_t> base_;  // the first picture's timestamp; empty: the file has none
  double due_seconds_ = 0;            // due time of the next picture if it has no timestamp
  double picture_seconds_ = 0;
  double duration_seconds_ = 0;
  std::uint64_t serial_ = 0;
  std::uint64_t faults_ = 0;
  bool is_draining_ = false;
};

}  // namespace submix::io
