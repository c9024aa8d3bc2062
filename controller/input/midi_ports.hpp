// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/input/midi_message.hpp"

#include <functional>
#include <string>
#include <vector>

namespace submix::input {

struct MidiDevice {
  std::string name;          ///< the same whenever it is plugged in
  bool can_be_told = false;  ///< it has an input of its own, for feedback
  std::string trouble{};     ///< why it is not open
  int openings = 0;  ///< one more whenever it is opened anew: it was away, or could not be told

  friend bool operator==(const MidiDevice&, const MidiDevice&) = default;
};

struct MidiScan {
  std::string system;  ///< "ALSA", "JACK"; empty: there is no MIDI
  std::string reason;  ///< why there is none
  std::vector<MidiDevice> devices;

  friend bool operator==(const MidiScan&, const MidiScan&) = default;
};

/// The machine's MIDI devices; a seam, so that messages can come without any.
///
/// Threads  Confined (midi), but for the calls of `deliver`: on any thread, one with a deadline perhaps.
class MidiPorts {
 public:
  /// Must not wait.
  using Deliver = std::function<void(const std::string& device, const MidiBytes& bytes)>;

  virtual ~MidiPorts() = default;
  virtual void start(Deliver deliver) = 0;
  /// Looks which devices are there; opens new ones, closes those that are gone.
  [[nodiscard]] virtual MidiScan scan() = 0;
  virtual void send(const std::string& device, const MidiBytes& bytes) = 0;
};

}  // namespace submix::input
