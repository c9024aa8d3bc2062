// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/input/link_session.hpp"
#include "controller/input/mapping_core.hpp"
#include "controller/input/midi_ports.hpp"
#include "controller/input/settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// The state of control from outside as the window shows it, and the actions of people.
namespace submix::input {

struct MappingView {
  Mapping mapping;
  bool is_device_here = false;
  std::string trouble;  ///< why its target cannot be moved now; empty: it can
  MappingCore::Distance distance = MappingCore::Distance::none;
};

/// A received message as a line of text.
struct Heard {
  std::uint64_t id = 0;  ///< increases by one
  LocalTime at{};
  std::string text;  ///< "osc 127.0.0.1:5000: /transport/pause 1"
};

/// How the show follows the music.
struct MusicView {
  bool is_on = false;
  bool follows = false;         ///< the show has the tempo of the music now
  bool needs_listener = false;  ///< the show names no PC that listens
  std::string text = "off";     ///< for people: what is followed, or why nothing is

  friend bool operator==(const MusicView&, const MusicView&) = default;
};

/// State of control from outside. Plain values; never changed after the view is made.
struct InputView {
  OscSettings osc;
  std::string osc_address;  ///< address that OSC listens at; empty: it does not listen
  std::string osc_trouble;  ///< why OSC does not listen
  std::size_t osc_subscribers = 0;
  bool is_midi_on = false;
  MidiScan midi;
  LinkState link;
  MusicView music;
  std::vector<MappingView> mappings;
  std::optional<Target> learning;
  std::vector<Heard> heard;   ///< the latest messages, newest last
  std::uint64_t dropped = 0;  ///< messages dropped because they came too fast
};

// Actions of a person.
struct Learn {
  Target target;
};
struct StopLearning {};
struct ChangeMapping {
  Mapping from;
  std::optional<Mapping> to;  ///< empty: removes the mapping
};
struct SetOsc {
  OscSettings osc;
};
struct TurnMidi {
  bool on = true;
};
struct TurnLink {
  bool on = true;
};
struct FollowMusic {
  bool on = true;
};
/// A key of the PC was pressed or released. Keys that are mapped to nothing do nothing.
struct PressKey {
  KeyControl key;
  bool is_down = true;
};
using InputAction = std::variant<Learn, StopLearning, ChangeMapping, SetOsc, TurnMidi, TurnLink,
                                 FollowMusic, SetPace, PressKey>;

}  // namespace submix::input
