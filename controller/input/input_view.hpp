// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/input/link_session.hpp"
#include "controller/input/midi_core.hpp"
#include "controller/input/midi_ports.hpp"
#include "controller/input/settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What people see of control from outside, and what they do with it.
namespace submix::input {

struct MappingView {
  Mapping mapping;
  bool is_device_here = false;
  std::string trouble;  ///< why its target cannot be moved now; empty: it can
  MidiCore::Distance distance = MidiCore::Distance::none;
};

/// A message that came, for people.
struct Heard {
  std::uint64_t id = 0;  ///< grows by one
  LocalTime at{};
  std::string text;  ///< "osc 127.0.0.1:5000: /transport/pause 1"
};

/// What a person sees of control from outside. Plain values, never changed after they are made.
struct InputView {
  OscSettings osc;
  std::string osc_address;  ///< where it really listens; empty: it does not
  std::string osc_trouble;  ///< why not
  std::size_t osc_subscribers = 0;
  bool is_midi_on = false;
  MidiScan midi;
  LinkState link;
  std::vector<MappingView> mappings;
  std::optional<Target> learning;
  std::vector<Heard> heard;   ///< the last ones, newest last
  std::uint64_t dropped = 0;  ///< messages that came faster than they could be handled
};

// What a person does.
struct Learn {
  Target target;
};
struct StopLearning {};
struct ChangeMapping {
  Mapping from;
  std::optional<Mapping> to;  ///< empty: it goes
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
using InputAction =
    std::variant<Learn, StopLearning, ChangeMapping, SetOsc, TurnMidi, TurnLink, SetPace>;

}  // namespace submix::input
