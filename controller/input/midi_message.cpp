// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/midi_message.hpp"

#include <charconv>

namespace submix::input {
namespace {

using Kind = MidiControl::Kind;

// Status bytes without their channel, from the MIDI 1.0 specification.
constexpr int kNoteOff = 0x80;
constexpr int kNoteOn = 0x90;
constexpr int kControlChange = 0xb0;
constexpr int kPitchBend = 0xe0;

MidiBytes bytes(int status, const MidiControl& control, int first, int second) {
  const auto byte = [](int number) { return static_cast<std::uint8_t>(number); };
  return {byte(status | (control.channel - 1)), byte(first), byte(second)};
}

Result<MidiControl> checked(Kind kind, int channel, int number) {
  const int most = kind == Kind::cc14 ? kFineOffset - 1 : 127;
  if (number < 0 || number > most) return fail("number {} is not within 0 to {}", number, most);
  if (channel < 1 || channel > 16) return fail("channel {} is not within 1 to 16", channel);
  return MidiControl{kind, channel, number};
}

}  // namespace

int value_max(Kind kind) {
  return kind == Kind::cc14 || kind == Kind::bend ? 16383 : 127;
}

std::string to_string(const MidiControl& control) {
  switch (control.kind) {
    case Kind::cc:
      return fmt::format("cc {}", control.number);
    case Kind::cc14:
      return fmt::format("cc14 {}", control.number);
    case Kind::note:
      return fmt::format("note {}", control.number);
    case Kind::bend:
      return "bend";
  }
  return {};
}

Result<MidiControl> parse_midi_control(std::string_view text, int channel) {
  if (text == "bend") return checked(Kind::bend, channel, 0);
  const auto space = text.find(' ');
  const auto word = text.substr(0, space);
  int number = -1;
  if (space != std::string_view::npos) {
    const auto digits = text.substr(space + 1);
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || stop != digits.data() + digits.size()) number = -1;
  }
  if (word == "cc" && number >= 0) return checked(Kind::cc, channel, number);
  if (word == "cc14" && number >= 0) return checked(Kind::cc14, channel, number);
  if (word == "note" && number >= 0) return checked(Kind::note, channel, number);
  return fail(R"("{}" is no MIDI control; write "cc 7", "cc14 7", "note 60" or "bend")",
              text.substr(0, 40));
}

std::optional<MidiEvent> decode(std::span<const std::uint8_t> message) {
  if (message.size() != 3 || message[1] > 127 || message[2] > 127) return std::nullopt;
  const int channel = (message[0] & 0x0f) + 1;
  const int first = message[1];
  const int second = message[2];
  switch (message[0] & 0xf0) {
    case kNoteOff:
      return MidiEvent{{Kind::note, channel, first}, 0};
    case kNoteOn:
      return MidiEvent{{Kind::note, channel, first}, second};
    case kControlChange:
      return MidiEvent{{Kind::cc, channel, first}, second};
    case kPitchBend:
      return MidiEvent{{Kind::bend, channel, 0}, first | (second << 7)};
    default:
      return std::nullopt;
  }
}

std::vector<MidiBytes> encode(const MidiControl& control, int value) {
  const int coarse = value >> 7;
  const int fine = value & 127;
  switch (control.kind) {
    case Kind::cc:
      return {bytes(kControlChange, control, control.number, fine)};
    case Kind::cc14:
      return {bytes(kControlChange, control, control.number, coarse),
              bytes(kControlChange, control, control.number + kFineOffset, fine)};
    case Kind::note:
      return {bytes(kNoteOn, control, control.number, fine)};
    case Kind::bend:
      return {bytes(kPitchBend, control, fine, coarse)};
  }
  return {};
}

}  // namespace submix::input
