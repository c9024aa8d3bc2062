// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/rate_conversion.hpp"

#include "node/io/sound/sound_stream.hpp"

extern "C" {
#include <libavutil/channel_layout.h>
#include <libswresample/swresample.h>
}

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

namespace submix::io {
namespace {

constexpr int kRateMinHz = 8'000;
constexpr int kRateMaxHz = 768'000;

}  // namespace

void RateConversion::Deleter::operator()(SwrContext* context) const {
  swr_free(&context);
}

Result<RateConversion> RateConversion::from(int rate_hz) {
  RateConversion conversion;
  if (rate_hz == kSoundRateHz) return conversion;
  if (rate_hz < kRateMinHz || rate_hz > kRateMaxHz)
    return fail("its rate of {} Hz is not within {} to {}", rate_hz, kRateMinHz, kRateMaxHz);
  AVChannelLayout mono{};
  av_channel_layout_default(&mono, 1);
  SwrContext* context = nullptr;
  const int set = swr_alloc_set_opts2(&context, &mono, AV_SAMPLE_FMT_FLT, kSoundRateHz, &mono,
                                      AV_SAMPLE_FMT_FLT, rate_hz, 0, nullptr);
  conversion.context_.reset(context);
  if (set < 0 || context == nullptr) throw std::bad_alloc();
  if (swr_init(context) < 0) return fail("its rate of {} Hz cannot be converted", rate_hz);
  return conversion;
}

std::span<const float> RateConversion::convert(std::span<const float> samples) {
  if (!context_) return samples;
  const auto count = static_cast<int>(samples.size());
  converted_.resize(
      static_cast<std::size_t>(std::max(0, swr_get_out_samples(context_.get(), count))));
  const auto* from = reinterpret_cast<const std::uint8_t*>(samples.data());
  auto* to = reinterpret_cast<std::uint8_t*>(converted_.data());
  const auto room = static_cast<int>(converted_.size());
  const auto given = swr_convert(context_.get(), &to, room, &from, count);
  return std::span<const float>(converted_).first(static_cast<std::size_t>(std::max(0, given)));
}

std::chrono::nanoseconds RateConversion::delay() const {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return std::chrono::nanoseconds(context_ ? swr_get_delay(context_.get(), kNanoseconds) : 0);
}

}  // namespace submix::io
