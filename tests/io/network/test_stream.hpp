// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/frame_pool.hpp"
#include "node/io/record/video_encoder.hpp"
#include "node/io/send/network_output.hpp"
#include "tests/io/numbered_clip.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

namespace submix::testing {

/// Sends H.264 pictures with rising numbers to an address, 30 a second, until it is destroyed.
/// Connects again until the far end is there.
class TestStream {
 public:
  static constexpr int kNumbers = 1000;
  static constexpr Size kSize{128, 64};

  explicit TestStream(std::string address, Size size = kSize)
      : address_(std::move(address)),
        size_(size),
        pool_(size, 2),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}

  /// The number of the picture that was sent last.
  [[nodiscard]] int sent() const { return sent_.load(); }

 private:
  void run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (!send(stop)) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

  Result<void> send(const std::stop_token& stop) {
    auto encoder = io::VideoEncoder::open({io::RecordCodec::h264, 2'000'000}, size_, {30, 1});
    SUBMIX_TRY(encoder);
    auto output =
        io::NetworkOutput::open(address_, *encoder->parameters(), encoder->time_base(), stop);
    SUBMIX_TRY(output);
    auto next = std::chrono::steady_clock::now();
    for (int number = 0; !stop.stop_requested(); number = (number + 1) % kNumbers) {
      auto picture = pool_.acquire_for(std::chrono::seconds(60)).value();
      draw_number(picture.rgba(), size_, number);
      const auto frame = std::move(picture).publish();
      const bool is_key = number % 10 == 0;
      SUBMIX_TRY(encoder->encode(frame, is_key,
                                 [&](const AVPacket& packet) { return output->write(packet); }));
      sent_ = number;
      next += std::chrono::microseconds(33'333);
      std::this_thread::sleep_until(next);
    }
    return {};
  }

  const std::string address_;
  const Size size_;
  media::FramePool pool_;
  std::atomic<int> sent_{-1};
  std::jthread thread_;
};

}  // namespace submix::testing
