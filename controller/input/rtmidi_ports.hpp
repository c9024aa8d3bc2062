// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/input/midi_ports.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace submix::input {

/// All MIDI devices of this machine, through RtMidi. Uses the ALSA sequencer if there is one,
/// otherwise JACK. For the contract see MidiPorts.
class RtMidiPorts final : public MidiPorts {
 public:
  RtMidiPorts();
  ~RtMidiPorts() override;
  RtMidiPorts(const RtMidiPorts&) = delete;
  RtMidiPorts& operator=(const RtMidiPorts&) = delete;

  void start(Deliver deliver) override { deliver_ = std::move(deliver); }
  [[nodiscard]] MidiScan scan() override;
  void send(const std::string& device, const MidiBytes& bytes) override;

 private:
  struct Lists;  // of the present ports
  struct Device;

  /// A port as it is listed now.
  struct Port {
    std::string name;  ///< its lasting name
    std::string full;
  };

  [[nodiscard]] std::string find_system();
  void close_those_gone(const std::vector<Port>& inputs);
  void open(const Port& port, unsigned number);
  void open_ways_back();
  void open_way_back(Device& device, unsigned number);

  Deliver deliver_;
  std::string system_;
  std::unique_ptr<Lists> lists_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::map<std::string, int> openings_;  // by the device's name
};

/// Names that stay the same when a device is plugged in again: without ALSA's " 20:0" at the end.
/// The second of several equal names becomes "name #2".
[[nodiscard]] std::vector<std::string> lasting_names(const std::vector<std::string>& ports);
/// The index of the output that leads to the device behind `input`; both are lasting names. The
/// number of outputs if there is none.
[[nodiscard]] std::size_t find_way_back(std::string_view input,
                                        const std::vector<std::string>& outputs);

}  // namespace submix::input
