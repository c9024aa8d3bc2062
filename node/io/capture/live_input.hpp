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

/// Whether a device that answers with `code`, an error of FFmpeg, may give a picture soon.
[[nodiscard]] bool has_only_no_picture(int code, bool gave_pictures);

/// The pictures from a device, as they arrive.
///
/// Threads  Compatible.
/// Errors   The device is missing, in use, accepts no settings, gives no picture for five seconds,
///          or was unplugged. After an error the input can only be destroyed.
class LiveInput {
 public:
  /// Waits for the device's answer.
  [[nodiscard]] static Result<LiveInput> open(const CaptureInput& input, std::stop_token stop);

  /// Waits for the next picture. Its `pts` is the time at which the device took it, in microseconds
  /// since 1970 if the driver knows it. Null: a stop was requested.
  [[nodiscard]] Result<FramePointer> next();

 private:
  struct FormatDeleter {
    void operator()(AVFormatContext* format) const { avformat_close_input(&format); }
  };
  using FormatPointer = std::unique_ptr<AVFormatContext, FormatDeleter>;

  LiveInput() = default;

  [[nodiscard]] Result<void> open_decoder();
  /// Gives the decoder a packet. False: the device has none now.
  [[nodiscard]] Result<bool> feed();

  std::string name_;
  std::stop_token stop_;
  FormatPointer format_;
  CodecPointer decoder_;
  PacketPointer packet_;
  bool gave_pictures_ = false;
};

}  // namespace submix::io
