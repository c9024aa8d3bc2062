// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/input/osc_message.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace submix::input {

/// How an InputService is started.
struct InputOptions {
  std::filesystem::path file;  ///< of the settings; empty: none is read or written
  /// The following replace the file's settings and are not written.
  std::optional<std::uint16_t> osc_port{};
  std::optional<bool> is_osc_on{};
  std::optional<std::string> osc_host{};
  std::vector<OscPeer> osc_receivers{};  ///< in addition to the file's
  std::optional<bool> is_midi_on{};
  std::optional<bool> is_link_on{};
  std::optional<bool> is_music_followed{};
  std::chrono::milliseconds scan_period{1000};  ///< between two scans for MIDI devices
  std::function<void()> on_change{};  ///< a new view is there; called on `input`, must not block
};

/// The options --osc, --osc-bind, --osc-to, --midi, --link and --follow-music as typed. Missing
/// options leave the settings as they are.
struct CommandLine {
  std::string osc{};  ///< a port, or "off"
  std::string osc_bind{};
  std::vector<std::string> osc_to{};
  std::optional<bool> is_midi_on{};
  std::optional<bool> is_link_on{};
  std::optional<bool> is_music_followed{};
};

[[nodiscard]] Result<InputOptions> input_options(const CommandLine& typed);

}  // namespace submix::input
