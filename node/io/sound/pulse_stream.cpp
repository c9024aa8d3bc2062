// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/pulse_stream.hpp"

#include "node/io/sound/sound_device.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace submix::io {
namespace {

constexpr auto kSampleBytes = static_cast<std::uint32_t>(sizeof(float));
// How much comes at once, and how much the server keeps for a late listener.
constexpr std::uint32_t kFragmentBytes = kSoundRateHz / 100 * kSampleBytes;  // 10 ms
constexpr pa_usec_t kDelayMaxUs = 2'000'000;  // more is a fault of the server
constexpr std::uint32_t kKeptBytes = kSoundRateHz / 5 * kSampleBytes;  // 200 ms

}  // namespace

PulseStream::PulseStream(PulseServer server, std::string source)
    : server_(std::move(server)), source_(std::move(source)) {
  const pa_sample_spec mono{PA_SAMPLE_FLOAT32NE, kSoundRateHz, 1};
  stream_.reset(pa_stream_new(server_.context(), "show", &mono, nullptr));
  if (!stream_) throw std::bad_alloc();
}

Result<void> PulseStream::start() {
  constexpr auto kDefault = static_cast<std::uint32_t>(-1);
  const pa_buffer_attr buffer{.maxlength = kKeptBytes,
                              .tlength = kDefault,
                              .prebuf = kDefault,
                              .minreq = kDefault,
                              .fragsize = kFragmentBytes};
  // A server moves a stream to another source when its source is unplugged. A show that names a
  // source wants no other.
  const auto flags = static_cast<pa_stream_flags_t>(
      PA_STREAM_ADJUST_LATENCY | PA_STREAM_AUTO_TIMING_UPDATE | PA_STREAM_INTERPOLATE_TIMING |
      (source_.empty() ? PA_STREAM_NOFLAGS : PA_STREAM_DONT_MOVE));
  const auto* name = source_.empty() ? nullptr : source_.c_str();
  if (pa_stream_connect_record(stream_.get(), name, &buffer, flags) < 0) return explain_refusal();
  SUBMIX_TRY(
      server_.wait_until([this] { return is_in(PA_STREAM_READY) || is_in(PA_STREAM_FAILED); }));
  return is_in(PA_STREAM_READY) ? Result<void>() : explain_refusal();
}

Result<std::span<const float>> PulseStream::next() {
  samples_.clear();
  if (pa_stream_readable_size(stream_.get()) == 0) SUBMIX_TRY(server_.turn());
  if (!is_in(PA_STREAM_READY))
    return fail("{} was unplugged, or its server ended it", title_of_input(source_));
  const void* fragment = nullptr;
  std::size_t bytes = 0;
  if (pa_stream_peek(stream_.get(), &fragment, &bytes) < 0)
    return fail("{} stopped: {}", title_of_input(source_), server_.reason());
  if (bytes == 0) return std::span<const float>();

  samples_.resize(bytes / kSampleBytes);  // zeros, because a fragment may be a gap in the sound
  if (fragment != nullptr) std::memcpy(samples_.data(), fragment, samples_.size() * kSampleBytes);
  pa_stream_drop(stream_.get());
  delay_ = present_delay();
  return std::span<const float>(samples_);
}

// The server tells the delay ten times a second; in between libpulse extrapolates. A monitor may be
// ahead of what is heard.
std::chrono::nanoseconds PulseStream::present_delay() const {
  pa_usec_t delay_us = 0;
  int is_ahead = 0;
  const bool is_known = pa_stream_get_latency(stream_.get(), &delay_us, &is_ahead) == 0;
  if (!is_known || delay_us > kDelayMaxUs) return std::chrono::nanoseconds(0);
  const std::chrono::microseconds delay(delay_us);
  return is_ahead != 0 ? -delay : delay;
}

bool PulseStream::is_in(pa_stream_state_t state) const {
  return pa_stream_get_state(stream_.get()) == state;
}

Result<void> PulseStream::explain_refusal() {
  const bool is_missing = server_.error() == PA_ERR_NOENTITY;
  const auto reason = server_.reason();
  if (!is_missing) return fail("{} cannot be opened: {}", title_of_input(source_), reason);
  const auto present = server_.sources();
  return fail("{} is not here; {}", title_of_input(source_),
              list_of_inputs(present.value_or(std::vector<CaptureDevice>())));
}

Result<std::unique_ptr<SoundStream>> open_pulse_stream(const std::string& source,
                                                       const std::stop_token& stop) {
  auto server = PulseServer::connect(stop);
  SUBMIX_TRY(server);
  auto stream = std::make_unique<PulseStream>(std::move(*server), source);
  SUBMIX_TRY(stream->start());
  return stream;
}

}  // namespace submix::io
