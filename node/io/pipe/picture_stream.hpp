// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/ffmpeg.hpp"
#include "node/io/pipe/picture_shape.hpp"
#include "node/io/pipe/pipe_bytes.hpp"
#include "node/io/pipe/pipe_options.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::io {

/// The uncompressed pictures that come by a pipe, one after the other. FFmpeg reads Matroska and
/// Y4M; nothing is decoded.
///
/// Threads  Compatible.
/// Cost     A call waits for its bytes; a stop ends it within 50 ms.
/// Errors   What is wrong with the bytes, and the remedy. A picture of Y4M or of raw pixels that is
///          cut off fails; one of Matroska is left out.
class PictureStream {
 public:
  explicit PictureStream(const PipeOptions& options) : options_(options), bytes_(options.data) {}
  PictureStream(const PictureStream&) = delete;
  PictureStream& operator=(const PictureStream&) = delete;

  /// Finds out the pictures' shape. A stream without a rate has that of the options. Empty: asked
  /// to stop.
  [[nodiscard]] Result<std::optional<PictureShape>> open(const std::stop_token& stop);
  /// The next picture, and its time since the stream's begin. Empty: the end, or asked to stop.
  [[nodiscard]] Result<std::optional<std::chrono::nanoseconds>> next(
      std::vector<std::uint8_t>& pixels, const std::stop_token& stop);

 private:
  struct CloseIo {
    void operator()(AVIOContext* io) const;
  };
  struct CloseInput {
    void operator()(AVFormatContext* input) const { avformat_close_input(&input); }
  };
  using Time = std::optional<std::chrono::nanoseconds>;

  /// FFmpeg's way to the pipe; `opaque` is this object.
  static int read_for_ffmpeg(void* opaque, std::uint8_t* bytes, int size);

  [[nodiscard]] Result<PipeFormat> find_format();
  [[nodiscard]] Result<PictureShape> open_raw();
  [[nodiscard]] Result<PictureShape> open_container(PipeFormat format);
  /// Of the first track of pictures; others are left out.
  [[nodiscard]] Result<PictureShape> shape_of_track(PipeFormat format);
  [[nodiscard]] Result<Time> next_raw(std::vector<std::uint8_t>& pixels);
  [[nodiscard]] Result<Time> next_packet(std::vector<std::uint8_t>& pixels);
  [[nodiscard]] Result<Time> end_of_container(int code);
  [[nodiscard]] Error cut_off(std::size_t bytes) const;

  const PipeOptions options_;
  PipeBytes bytes_;
  std::stop_token stop_;  // of the present call
  std::string failure_;   // of the pipe, while FFmpeg read from it
  PictureShape shape_;
  std::size_t picture_bytes_ = 0;
  std::uint64_t pictures_ = 0;  // read so far
  // Of Matroska and Y4M.
  std::unique_ptr<AVIOContext, CloseIo> io_;
  std::unique_ptr<AVFormatContext, CloseInput> input_;  // before io_ ends
  PacketPointer packet_;
  const AVStream* track_ = nullptr;
  std::int64_t picture_end_ = 0;  // bytes of the stream up to the end of the last picture
};

}  // namespace submix::io
