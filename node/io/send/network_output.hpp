// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/ffmpeg.hpp"

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>

namespace submix::io {

/// A video track that FFmpeg sends to an address: MPEG-TS over UDP, SRT or TCP, FLV over RTMP, or
/// RTSP.
///
/// Threads  Compatible.
/// Cost     Each call blocks while the far end takes nothing, for at most five seconds or until
///          `stop` is requested. Two waits differ: open() waits for the name resolver without a
///          limit, and the destructor takes up to a second to tell the far end that the track ends.
/// Errors   The far end cannot be reached, refuses, or takes no frame within five seconds. Over UDP
///          a missing far end is never noticed. After a failure the output can only be destroyed.
class NetworkOutput {
 public:
  /// `time_base` is one frame.
  [[nodiscard]] static Result<NetworkOutput> open(const std::string& address,
                                                  const AVCodecParameters& parameters,
                                                  AVRational time_base, std::stop_token stop);

  /// The times of `packet` are in frames and rise.
  [[nodiscard]] Result<void> write(const AVPacket& packet);

 private:
  /// FFmpeg asks it during a call whether to give up.
  struct Patience {
    std::stop_token stop;
    std::chrono::steady_clock::time_point deadline;
    bool has_begun = false;  ///< the far end has been told about the track
    bool has_failed = false;
    bool is_ending = false;  ///< `stop` no longer counts
  };
  /// Tells the far end that the track ends, within a second, and closes all connections.
  struct OutputDeleter {
    void operator()(AVFormatContext* output) const;
  };

  NetworkOutput() = default;

  static int is_over(void* patience);
  [[nodiscard]] Result<void> connect(AVFormatContext& output);
  [[nodiscard]] Error failure(const char* what, int code) const;

  std::string address_;
  AVRational time_base_{1, 30};
  std::unique_ptr<Patience> patience_;  // outlives the output, which uses it until its end
  std::unique_ptr<AVFormatContext, OutputDeleter> output_;
  PacketPointer packet_;
};

}  // namespace submix::io
