// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <chrono>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

namespace submix::io {

/// The rate of all streams. The sound server or ALSA converts to it; JACK's samples are converted
/// here.
inline constexpr int kSoundRateHz = 48'000;

/// The samples of a sound input as they arrive: one channel, -1 to 1.
///
/// Threads  Compatible.
class SoundStream {
 public:
  virtual ~SoundStream() = default;

  /// The samples since the last call, valid until the next one. Empty: none came for 20 ms.
  ///
  /// Errors   The input was unplugged, or its server ended. The stream can then only be destroyed.
  [[nodiscard]] virtual Result<std::span<const float>> next() = 0;
  /// The age of the newest sample when next() returned it, by the card or its server; zero if
  /// unknown. Negative: the sample belongs to a future moment.
  [[nodiscard]] virtual std::chrono::nanoseconds delay() const = 0;
  /// Why the samples are silent although the input works, for people. Empty: no reason.
  [[nodiscard]] virtual std::string trouble() const { return {}; }
};

/// Opens an input of this computer by its name in a show, but no clip. A card such as "hw:1,0" is
/// opened by ALSA, a port by JACK, a source by the sound server. No server is started. The default
/// input is the sound server's, else JACK's capture ports, else the first card.
///
/// Cost     With a hanging server, waits up to 3 s for each of two answers; less after a stop.
/// Errors   The input is missing, in use, or not permitted. The message lists the present inputs.
[[nodiscard]] Result<std::unique_ptr<SoundStream>> open_sound(const std::string& device,
                                                              const std::stop_token& stop);

}  // namespace submix::io
