// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The MIDI messages that control something, as plain structs. Pure.
namespace submix::input {

using MidiBytes = std::vector<std::uint8_t>;

/// The number of a fine controller minus that of its coarse one.
inline constexpr int kFineOffset = 32;

/// A knob, fader or key of one device.
struct MidiControl {
  enum class Kind { cc, cc14, note, bend };
  Kind kind = Kind::cc;
  int channel = 1;  ///< 1 to 16
  /// 0 to 127; of cc14 the coarse controller, 0 to 31 (the fine one is 32 higher); of a bend 0
  int number = 0;

  friend bool operator==(const MidiControl&, const MidiControl&) = default;
};

/// The greatest value of its messages: 127 or 16383.
[[nodiscard]] int value_max(MidiControl::Kind kind);

/// "cc 7", "cc14 7", "note 60", "bend"; without the channel.
[[nodiscard]] std::string to_string(const MidiControl& control);
[[nodiscard]] Result<MidiControl> parse_midi_control(std::string_view text, int channel);

/// One message: a control of kind cc, note or bend, and its value. A cc14 arrives as two messages
/// of kind cc. The end of a note has the value 0.
struct MidiEvent {
  MidiControl control;
  int value = 0;

  friend bool operator==(const MidiEvent&, const MidiEvent&) = default;
};

/// Empty for messages that control nothing, and for incomplete or invalid bytes.
[[nodiscard]] std::optional<MidiEvent> decode(std::span<const std::uint8_t> bytes);
/// The messages that show `value`, 0 to value_max(), on the device: two for cc14.
[[nodiscard]] std::vector<MidiBytes> encode(const MidiControl& control, int value);

}  // namespace submix::input
