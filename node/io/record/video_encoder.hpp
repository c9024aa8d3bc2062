// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/media/scaler.hpp"
#include "node/io/ffmpeg.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::io {

/// How recordings are coded. node/io/README.md has each codec's CPU time and size of a picture.
enum class RecordCodec {
  huffyuv,  ///< lossless RGB, the cheapest: the default
  ffv1,     ///< lossless RGB of half the size, for archives; needs spare cores
  h264,     ///< small, lossy
  mjpeg,    ///< lossy, every picture a key picture
};

[[nodiscard]] std::vector<std::string> record_codec_names();
/// Any other word gives `huffyuv`. Checked parameters have only the names.
[[nodiscard]] RecordCodec record_codec_named(std::string_view name);

/// How pictures are coded.
struct VideoCoding {
  RecordCodec codec = RecordCodec::huffyuv;
  /// For h264: the mean over a buffer of half a second. 0: constant quality.
  std::int64_t bits_per_second = 0;
};

/// Encodes frames with FFmpeg, set up to keep pace with a show.
///
/// Shape    Packet timestamps count frames: 0, 1, 2, … in units of time_base().
/// Threads  Compatible; up to codec_threads() threads of its own, 4 for ffv1.
/// Errors   open(): FFmpeg lacks the encoder, or the encoder refuses the size. After a failure,
///          only finish() may be called.
class VideoEncoder {
 public:
  using Sink = std::function<Result<void>(AVPacket&)>;

  [[nodiscard]] static Result<VideoEncoder> open(VideoCoding coding, Size size, FrameRate rate);

  /// Hands the ready packets to `sink`. `is_key`: playing can start at this frame.
  [[nodiscard]] Result<void> encode(const media::Frame& frame, bool is_key, const Sink& sink);
  /// Hands over the packets that the encoder still holds. Nothing can be encoded afterwards.
  [[nodiscard]] Result<void> finish(const Sink& sink);

  /// Skips the timestamps of `frames` frames that are not encoded.
  void skip(std::int64_t frames) { frames_ += frames; }

  [[nodiscard]] AVRational time_base() const { return context_->time_base; }
  [[nodiscard]] CodecParametersPointer parameters() const;

 private:
  VideoEncoder() = default;

  [[nodiscard]] Result<void> send(const AVFrame* picture, const Sink& sink);

  CodecPointer context_;
  FramePointer picture_;  // in the encoder's format; reused
  PacketPointer packet_;
  media::Scaler scaler_;
  std::int64_t frames_ = 0;
};

}  // namespace submix::io
