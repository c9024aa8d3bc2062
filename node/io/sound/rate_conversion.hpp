// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <chrono>
#include <memory>
#include <span>
#include <vector>

struct SwrContext;

namespace submix::io {

/// Resamples one channel of sound to kSoundRateHz, by FFmpeg's libswresample.
///
/// Threads  Compatible.
/// Cost     Nothing at kSoundRateHz. Else about 10 µs for 10 ms of sound.
class RateConversion {
 public:
  /// Errors   `rate_hz` is not 8,000 to 768,000.
  [[nodiscard]] static Result<RateConversion> from(int rate_hz);

  /// The converted samples, valid until the next call. The last few of `samples` come with that
  /// call.
  [[nodiscard]] std::span<const float> convert(std::span<const float> samples);
  /// The length of the sound that waits for the next call.
  [[nodiscard]] std::chrono::nanoseconds delay() const;

 private:
  struct Deleter {
    void operator()(SwrContext* context) const;
  };
  RateConversion() = default;

  std::unique_ptr<SwrContext, Deleter> context_;  // null: no conversion needed
  std::vector<float> converted_;
};

}  // namespace submix::io
