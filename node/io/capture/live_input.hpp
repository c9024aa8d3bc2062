// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/capture/capture_device.hpp"
#include "node/io/ffmpeg.hpp"

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>

namespace submix::io {

/// The pictures of a device, as they come.
///
/// Threads  Compatible.
/// Errors   The device is not there, is in use, takes no settings, gives no picture for five
///          seconds, or has been unplugged. After an error the input can only be destroyed.
class LiveInput {
 public:
  /// Waits for the device's answer.
  [[nodiscard]] static Result<LiveInput> open(const CaptureInput& input, std::stop_token stop);

  /// Waits for the next picture; its `pts` is the moment at which the device took it, in
  /// microseconds since 1970 as far as its driver knows that. Null: a stop was requested.
  [[nodiscard]] Result<FramePointer> next();

 private:
  struct FormatDeleter {
    void operator()(AVFormatContext* format) const { avformat_close_input(&format); }
  };
  using FormatPointer = std::unique_ptr<AVFormatContext, FormatDeleter>;

  LiveInput() = default;

  [[nodiscard]] Result<void> open_decoder();
  /// Gives the decoder a packet. False: the device has none yet.
  [[nodiscard]] Result<bool> feed();

  std::string name_;
  std::stop_token stop_;
  FormatPointer format_;
  CodecPointer decoder_;
  PacketPointer packet_;
};

}  // namespace submix::io
