// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/input/midi_message.hpp"
#include "controller/input/osc_message.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

/// Control surfaces: MIDI devices, keys and OSC programs. Pure.
namespace submix::input {

/// SurfaceEvent::device of keys, and of OSC addresses. A MIDI device has its own name.
inline constexpr std::string_view kKeyboard = "keyboard";
inline constexpr std::string_view kOscPrograms = "OSC";

/// A key of this PC, with its modifiers, as the window names it: "Shift+A".
struct KeyControl {
  std::string key;

  friend bool operator==(const KeyControl&, const KeyControl&) = default;
};
/// An address that an OSC program has for one of its faders or buttons: "/1/fader3".
struct OscControl {
  std::string address;

  friend bool operator==(const OscControl&, const OscControl&) = default;
};

/// A fader, knob, key or button of a surface.
using SurfaceControl = std::variant<MidiControl, KeyControl, OscControl>;

/// One movement of a control.
struct SurfaceEvent {
  std::string device;
  SurfaceControl control;
  int value = 0;  ///< 0 to value_max(); a key or button that is released has 0
};

/// Empty for messages that control nothing.
[[nodiscard]] std::optional<SurfaceEvent> event_of(std::string device,
                                                   std::span<const std::uint8_t> midi);
/// Takes the first argument, clamped to 0 to 1; a message without arguments is a press. Empty: the
/// argument is no number, or parse_osc_control() refuses the address.
[[nodiscard]] std::optional<SurfaceEvent> event_of(const OscMessage& message);

[[nodiscard]] int value_max(const SurfaceControl& control);
/// Whether the control is pressed and released, without positions in between.
[[nodiscard]] bool is_button(const SurfaceControl& control);
/// Whether the control can be an endless knob, which sends steps. Only a plain MIDI controller can.
[[nodiscard]] bool can_be_endless(const SurfaceControl& control);

/// "cc 7", "key Shift+A", "/1/fader3".
[[nodiscard]] std::string to_string(const SurfaceControl& control);
/// "cc 7 of nanoKONTROL2", "the key Shift+A", "OSC's /1/fader3".
[[nodiscard]] std::string words_of(const SurfaceControl& control, std::string_view device);

/// Fails for a name that is empty, too long or no plain text.
[[nodiscard]] Result<KeyControl> parse_key_control(std::string_view text);
/// Fails for an address that OSC does not allow, or that is one of Submix's own (OSC.md).
[[nodiscard]] Result<OscControl> parse_osc_control(std::string_view text);

}  // namespace submix::input
