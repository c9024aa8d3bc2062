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

/// Reads uncompressed pictures from a pipe, one after the other. FFmpeg reads Matroska and Y4M;
/// nothing is decoded.
///
/// Threads  Compatible.
/// Cost     Each call waits for its bytes. A stop ends the wait within 50 ms.
/// Errors   What is wrong with the bytes, and the remedy. An incomplete picture at the end is an
///          error in Y4M and raw pixels; in Matroska it is left out.
class PictureStream {
 public:
  explicit PictureStream(const PipeOptions& options) : options_(options), bytes_(options.data) {}
  PictureStream(const PictureStream&) = delete;
  PictureStream& operator=(const PictureStream&) = delete;

  /// Reads the pictures' format. A stream that states no rate has the rate of the options. Empty:
  /// asked to stop.
  [[nodiscard]] Result<std::optional<PictureShape>> open(const std::stop_token& stop);
  /// The next picture, and its time since the beginning of the stream. Empty: the end, or asked to
  /// stop.
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

  /// FFmpeg reads the pipe by this function; `opaque` is this object.
  static int read_for_ffmpeg(void* opaque, std::uint8_t* bytes, int size);

  [[nodiscard]] Result<PipeFormat> find_format();
  [[nodiscard]] Result<PictureShape> open_raw();
  [[nodiscard]] Result<PictureShape> open_container(PipeFormat format);
  /// The format of the first video track. Other tracks are ignored.
  [[nodiscard]] Result<PictureShape> shape_of_track(PipeFormat format);
  [[nodiscard]] Result<Time> next_raw(std::vector<std::uint8_t>& pixels);
  [[nodiscard]] Result<Time> next_packet(std::vector<std::uint8_t>& pixels);
  [[nodiscard]] Result<Time> end_of_container(int code);
  [[nodiscard]] Error cut_off(std::size_t bytes) const;

  const PipeOptions options_;
  PipeBytes bytes_;
  std::stop_token stop_;  // of the present call
  std::string failure_;   // of the pipe, while FFmpeg was reading
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
