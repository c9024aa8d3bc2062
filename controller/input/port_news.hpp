// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace submix::input {

/// Reports new ports and connections of ALSA's sequencer or of JACK. A list of devices does not
/// show that a device was unplugged and plugged in again between two scans; its connection is gone.
///
/// Threads  Confined (midi). JACK's own thread only records names.
/// Errors   On a system without such reports the list is always empty.
class PortNews {
 public:
  /// `system` is "ALSA" or "JACK".
  [[nodiscard]] static std::unique_ptr<PortNews> open(const std::string& system);
  virtual ~PortNews() = default;

  /// The ports that appeared since the last call: JACK's names, or ALSA's numbers, "20:0".
  [[nodiscard]] virtual std::vector<std::string> take() = 0;
  /// Whether messages of this program reach `port`, to which it is connected. JACK drops messages
  /// until its next period begins.
  [[nodiscard]] virtual bool is_reached(const std::string& port) = 0;
};

/// Whether `news` is about `port`, an RtMidi name such as "nano:CTRL 20:0".
[[nodiscard]] bool is_news_of(std::string_view port, std::string_view news);

}  // namespace submix::input
