// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <chrono>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

namespace submix::io {

/// The rate of all streams. A sound server or ALSA converts what the card gives; what JACK gives is
/// converted here.
inline constexpr int kSoundRateHz = 48'000;

/// The samples of a sound input as they come: one channel, -1 to 1.
///
/// Threads  Compatible.
class SoundStream {
 public:
  virtual ~SoundStream() = default;

  /// The samples since the last call, valid until the next call. Empty: none came for 20 ms.
  ///
  /// Errors   The input was unplugged, or its server ended. The stream can then only be destroyed.
  [[nodiscard]] virtual Result<std::span<const float>> next() = 0;
  /// How old the newest sample was when next() returned it, as the card or its server says; zero if
  /// neither does. Negative: the sample is of a moment to come.
  [[nodiscard]] virtual std::chrono::nanoseconds delay() const = 0;
  /// Why the samples are silence though the input works, for people. Empty: nothing keeps it silent.
  [[nodiscard]] virtual std::string trouble() const { return {}; }
};

/// Opens an input of this computer by its name in a show; a clip is none. ALSA opens a card such as
/// "hw:1,0", and JACK its ports. The sound server opens its sources. No server is started. The
/// default input is the sound server's, or else JACK's capture ports, or else the first card.
///
/// Cost     Waits up to 3 s for each of two answers of a server that hangs; less after a stop.
/// Errors   The input is missing, in use, or not permitted. The message lists the present inputs.
[[nodiscard]] Result<std::unique_ptr<SoundStream>> open_sound(const std::string& device,
                                                              const std::stop_token& stop);

}  // namespace submix::io
