// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/ffmpeg.hpp"
#include "node/io/network/stream_clock.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace submix::io {

/// The pictures of an address, as they come. Sound is left out.
///
/// FFmpeg may open what the address names over the network, and nothing else: no file of this
/// computer, whatever a playlist says.
///
/// Threads  Compatible.
/// Cost     Blocks while the far end gives nothing, as long as the limits permit, and not once
///          `stop` is requested. Only the resolver of names has no such limit.
/// Errors   The far end is away, refuses, sends no video, or gives no picture for some seconds.
///          After an error the input can only be destroyed. No message has a secret of the address.
class NetworkInput {
 public:
  struct Limits {
    std::chrono::milliseconds opening{10'000};  ///< for all of open()
    std::chrono::milliseconds silence{5000};    ///< between two pictures
  };

  struct Picture {
    FramePointer frame;         ///< null: a stop was requested
    StreamClock::Span stamp{};  ///< by the far end's clock
    StreamClock::Time came;
  };

  [[nodiscard]] static Result<NetworkInput> open(const std::string& address, std::stop_token stop,
                                                 Limits limits);
  [[nodiscard]] static Result<NetworkInput> open(const std::string& address, std::stop_token stop) {
    return open(address, std::move(stop), Limits());
  }

  [[nodiscard]] Result<Picture> next();
  /// `reader` for a file, or for a playlist of files: they come as fast as they are read.
  [[nodiscard]] StreamClock::Pace pace() const { return pace_; }

 private:
  /// FFmpeg asks during a call whether it should give up.
  struct Patience {
    std::stop_token stop;
    std::chrono::steady_clock::time_point deadline;
  };
  struct FormatDeleter {
    void operator()(AVFormatContext* format) const { avformat_close_input(&format); }
  };

  NetworkInput() = default;

  static int is_over(void* patience);
  [[nodiscard]] Result<void> connect(const std::string& address);
  [[nodiscard]] Result<void> choose_stream();
  /// Begins to decode this stream.
  [[nodiscard]] Result<void> follow(int stream);
  [[nodiscard]] Result<void> feed();
  /// Whether the packet belongs to the pictures. A far end may go on with another stream or codec.
  [[nodiscard]] Result<bool> is_wanted(const AVPacket& packet);
  [[nodiscard]] StreamClock::Span stamp_of(const AVFrame& frame, StreamClock::Time came) const;
  [[nodiscard]] Error failure(const char* what, int code) const;

  Limits limits_;
  std::string name_;                    // without secrets
  std::unique_ptr<Patience> patience_;  // outlives the format, which asks it to the end
  std::unique_ptr<AVFormatContext, FormatDeleter> format_;
  CodecPointer decoder_;
  PacketPointer packet_;
  int stream_ = -1;
  bool is_refused_ = false;  // the decoder took something for no picture since the last one
  StreamClock::Time fed_;    // when the stream's last packet came
  StreamClock::Pace pace_ = StreamClock::Pace::far_end;
};

}  // namespace submix::io
