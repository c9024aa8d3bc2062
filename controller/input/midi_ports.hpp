// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/input/midi_message.hpp"

#include <functional>
#include <string>
#include <vector>

namespace submix::input {

struct MidiDevice {
  std::string name;          ///< does not change when the device is plugged in again
  bool can_be_told = false;  ///< has an input, so that feedback can be sent
  std::string trouble{};     ///< why the device is not open
  /// how often the device was opened
  int openings = 0;

  friend bool operator==(const MidiDevice&, const MidiDevice&) = default;
};

struct MidiScan {
  std::string system;  ///< "ALSA" or "JACK"; empty: no MIDI
  std::string reason;  ///< why there is no MIDI
  std::vector<MidiDevice> devices;

  friend bool operator==(const MidiScan&, const MidiScan&) = default;
};

/// The machine's MIDI devices. An interface, so that tests need no devices.
///
/// Threads  Confined (midi), except for the calls of `deliver`, which may come on any thread, even
///          a realtime one.
class MidiPorts {
 public:
  /// Receives a message; must not block.
  using Deliver = std::function<void(const std::string& device, const MidiBytes& bytes)>;

  virtual ~MidiPorts() = default;
  virtual void start(Deliver deliver) = 0;
  /// Lists the present devices; opens new devices and closes removed ones.
  [[nodiscard]] virtual MidiScan scan() = 0;
  virtual void send(const std::string& device, const MidiBytes& bytes) = 0;
};

}  // namespace submix::input
