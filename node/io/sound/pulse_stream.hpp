// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/sound/pulse_server.hpp"
#include "node/io/sound/sound_stream.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace submix::io {

/// The samples of a source of the sound server.
class PulseStream final : public SoundStream {
 public:
  /// `source`: empty means the default source, which may change while the stream runs.
  PulseStream(PulseServer server, std::string source);

  /// Errors   The source is missing; the message lists the present sources.
  [[nodiscard]] Result<void> start();
  [[nodiscard]] Result<std::span<const float>> next() override;
  [[nodiscard]] std::chrono::nanoseconds delay() const override { return delay_; }

 private:
  struct Deleter {
    void operator()(pa_stream* stream) const {
      pa_stream_disconnect(stream);
      pa_stream_unref(stream);
    }
  };

  [[nodiscard]] std::chrono::nanoseconds present_delay() const;
  [[nodiscard]] bool is_in(pa_stream_state_t state) const;
  [[nodiscard]] Result<void> explain_refusal();

  PulseServer server_;
  const std::string source_;
  std::unique_ptr<pa_stream, Deleter> stream_;  // after server_, which it uses
  std::vector<float> samples_;
  std::chrono::nanoseconds delay_{0};
};

/// As open_sound(), from a running server.
[[nodiscard]] Result<std::unique_ptr<SoundStream>> open_pulse_stream(const std::string& source,
                                                                     const std::stop_token& stop);

}  // namespace submix::io
