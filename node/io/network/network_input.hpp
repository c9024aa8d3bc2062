// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/ffmpeg.hpp"
#include "node/io/network/failure_signs.hpp"
#include "node/io/network/stream_clock.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace submix::io {

/// The pictures from an address, as they arrive, without sound.
///
/// FFmpeg may open network addresses only, and no file of this computer, whatever a playlist says.
///
/// Threads  Compatible.
/// Cost     Blocks while the far end sends nothing, until a limit is reached or `stop` is
///          requested. Only the name resolver has no such limit.
/// Errors   The far end cannot be reached, refuses, sends no video, or sends no picture for some
///          seconds. After an error the input can only be destroyed. No message contains a secret
///          of the address.
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
  /// `reader` for a file or a playlist of files, which arrive as fast as they are read.
  [[nodiscard]] StreamClock::Pace pace() const { return pace_; }

 private:
  /// FFmpeg asks it during a call whether to give up.
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
  /// Whether the packet belongs to the video. A far end may change to another stream or codec.
  [[nodiscard]] Result<bool> is_wanted(const AVPacket& packet);
  [[nodiscard]] StreamClock::Span stamp_of(const AVFrame& frame, StreamClock::Time came) const;
  /// `signs`: of a connection that failed.
  [[nodiscard]] Error failure(const char* what, int code,
                              const FailureSigns* signs = nullptr) const;

  Limits limits_;
  std::string name_;                    // without secrets
  std::unique_ptr<Patience> patience_;  // outlives the format, which uses it until its end
  std::unique_ptr<AVFormatContext, FormatDeleter> format_;
  CodecPointer decoder_;
  PacketPointer packet_;
  int stream_ = -1;
  bool is_refused_ = false;  // the decoder has refused a packet since the last picture
  StreamClock::Time fed_;    // when the stream's last packet came
  StreamClock::Pace pace_ = StreamClock::Pace::far_end;
};

}  // namespace submix::io
