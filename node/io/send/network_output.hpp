// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/ffmpeg.hpp"

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>

namespace submix::io {

/// Tells whether `address` is one that NetworkOutput::open() can send to.
///
/// Errors   It has a scheme that is not known here, no host, or characters that no address has. A
///          name of a file is refused: the plugin `record` writes files.
[[nodiscard]] Result<void> check_network_address(const std::string& address);

/// "srt://198.51.100.7:9000": an address for logs and screens. The path and the options stay away: they
/// may hold a stream's secret name or a password.
[[nodiscard]] std::string shown_address(const std::string& address);

/// A video track that FFmpeg sends to an address: MPEG-TS over UDP, SRT or TCP, FLV over RTMP, or
/// RTSP.
///
/// Threads  Compatible.
/// Cost     Each call blocks while the far end takes nothing, five seconds at most. Once `stop` is
///          requested it returns at once.
/// Errors   The far end is away, refuses, or takes nothing for five seconds. After a failure the
///          output can only be destroyed.
class NetworkOutput {
 public:
  /// `time_base` is one frame.
  [[nodiscard]] static Result<NetworkOutput> open(const std::string& address,
                                                  const AVCodecParameters& parameters,
                                                  AVRational time_base, std::stop_token stop);

  /// `packet`'s times are in frames and rise.
  [[nodiscard]] Result<void> write(const AVPacket& packet);

 private:
  /// FFmpeg asks during a call whether it should give up.
  struct Patience {
    std::stop_token stop;
    std::chrono::steady_clock::time_point deadline;
    bool has_begun = false;  ///< the far end knows of the track
  };
  /// Tells the far end that the track ends, within a second, and closes all connections.
  struct OutputDeleter {
    void operator()(AVFormatContext* output) const;
  };

  NetworkOutput() = default;

  static int is_over(void* patience);
  [[nodiscard]] Result<void> connect(AVFormatContext& output);

  std::string address_;
  AVRational time_base_{1, 30};
  std::unique_ptr<Patience> patience_;  // outlives the output, which asks it to the end
  std::unique_ptr<AVFormatContext, OutputDeleter> output_;
  PacketPointer packet_;
};

}  // namespace submix::io
