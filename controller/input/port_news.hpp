// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace submix::input {

/// Hears from ALSA's sequencer or from JACK which ports come: one that was pulled out and put back between
/// two looks at the list of ports stands in it as before, but nobody is connected to it any more.
///
/// Threads  Confined (midi); JACK's own only notes names.
/// Errors   Where the system does not tell, nothing ever appears.
class PortNews {
 public:
  /// `system` is "ALSA" or "JACK".
  [[nodiscard]] static std::unique_ptr<PortNews> open(const std::string& system);
  virtual ~PortNews() = default;

  /// The ports that have come since the last call: JACK's names, or ALSA's numbers, "20:0".
  [[nodiscard]] virtual std::vector<std::string> take() = 0;
};

/// Whether `news` speaks of `port`, a name as RtMidi has it: "nano:CTRL 20:0".
[[nodiscard]] bool is_news_of(std::string_view port, std::string_view news);

}  // namespace submix::input
