// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/input/midi_ports.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace submix::input {

/// All devices of this machine, through RtMidi: by the ALSA sequencer where there is one, by JACK otherwise.
/// As MidiPorts says.
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
  struct Lists;  // what looks for devices
  struct Device;

  /// A port as it is listed now.
  struct Port {
    std::string name;  ///< lasting
    std::string full;
  };

  [[nodiscard]] std::string find_system();
  void close_those_gone(const std::vector<Port>& inputs);
  void open(const Port& port, unsigned number);
  void open_ways_back();

  Deliver deliver_;
  std::string system_;
  std::unique_ptr<Lists> lists_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::map<std::string, int> openings_;  // by the device's name
};

/// Names of devices without what changes when they are plugged in again, ALSA's " 20:0" at the end; of
/// several alike the second one is "name #2".
[[nodiscard]] std::vector<std::string> lasting_names(const std::vector<std::string>& ports);
/// Which of `outputs` leads to the device whose messages come from `input`, both lasting; its place, or their
/// number.
[[nodiscard]] std::size_t find_way_back(std::string_view input,
                                        const std::vector<std::string>& outputs);

}  // namespace submix::input
