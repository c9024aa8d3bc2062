// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/rtmidi_ports.hpp"

#include "common/base/descriptor.hpp"
#include "controller/input/port_news.hpp"

#include <fcntl.h>
#include <jack/jack.h>
#include <rtmidi/RtMidi.h>

#include <algorithm>
#include <map>
#include <utility>

namespace submix::input {
namespace {

constexpr const char* kClient = "submix";
constexpr const char* kSequencer = "/dev/snd/seq";

// RtMidi and JACK print to stderr what they also return.
void ignore(const char*) {}
void ignore_error(RtMidiError::Type, const std::string&, void*) {}

bool is_jack_running() {
  ::jack_set_error_function(ignore);
  ::jack_set_info_function(ignore);
  jack_client_t* client = ::jack_client_open("submix-look", JackNoStartServer, nullptr);
  if (client == nullptr) return false;
  ::jack_client_close(client);
  return true;
}

RtMidi::Api api_of(const std::string& system) {
  return system == "ALSA" ? RtMidi::LINUX_ALSA : RtMidi::UNIX_JACK;
}

// Our own ports are no devices. Neither is the kernel's "Midi Through", which would return what it
// is sent.
bool is_own(std::string_view name) {
  return name.starts_with(kClient) || name.starts_with("Midi Through");
}

// "nanoKONTROL2:CTRL 20:0" without " 20:0".
std::string_view without_number(std::string_view port) {
  const auto space = port.rfind(' ');
  if (space == std::string_view::npos) return port;
  const auto tail = port.substr(space + 1);
  const auto colon = tail.find(':');
  const bool is_number = colon != std::string_view::npos && colon > 0 && colon + 1 < tail.size() &&
                         tail.find_first_not_of("0123456789:") == std::string_view::npos;
  return is_number ? port.substr(0, space) : port;
}

// "knobs" of "knobs:out" and of "knobs-01:in", which is JACK's name for a program's second
// connection. Empty: no client name.
std::string_view client_of(std::string_view port) {
  const auto colon = port.find(':');
  auto client = port.substr(0, colon == std::string_view::npos ? 0 : colon);
  const bool is_second =
      client.size() > 3 && client[client.size() - 3] == '-' &&
      client.substr(client.size() - 2).find_first_not_of("0123456789") == std::string_view::npos;
  if (is_second) client.remove_suffix(3);
  return client;
}

std::vector<std::string> full_names_of(RtMidi& ports) {
  std::vector<std::string> names;
  const auto count = ports.getPortCount();
  for (unsigned i = 0; i < count; ++i)
    names.push_back(ports.getPortName(i));
  return names;
}

}  // namespace

struct RtMidiPorts::Lists {
  explicit Lists(const std::string& system)
      : news(PortNews::open(system)),
        inputs(api_of(system), kClient),
        outputs(api_of(system), kClient) {
    inputs.setErrorCallback(ignore_error);
    outputs.setErrorCallback(ignore_error);
  }
  std::unique_ptr<PortNews> news;  // opened first, so that no change of the lists is missed
  RtMidiIn inputs;
  RtMidiOut outputs;
};

struct RtMidiPorts::Device {
  MidiDevice known;
  std::string full_name;
  const Deliver& deliver;
  std::unique_ptr<RtMidiIn> input{};
  std::unique_ptr<RtMidiOut> output{};

  static void on_message(double, MidiBytes* bytes, void* device) {
    const auto& self = *static_cast<Device*>(device);
    if (bytes != nullptr) self.deliver(self.known.name, *bytes);
  }
};

RtMidiPorts::RtMidiPorts() = default;
RtMidiPorts::~RtMidiPorts() = default;

std::string RtMidiPorts::find_system() {
  if (Descriptor(::open(kSequencer, O_RDWR | O_CLOEXEC | O_NONBLOCK))) return "ALSA";
  return is_jack_running() ? "JACK" : "";
}

// After a JACK server has ended, its lists stay empty for ever. So when nothing is listed,
// everything is opened anew.
MidiScan RtMidiPorts::scan() {
  try {
    if (lists_ == nullptr) {
      system_ = find_system();
      if (system_.empty())
        return {"", fmt::format("there is neither {} (ALSA) nor a JACK server", kSequencer), {}};
      lists_ = std::make_unique<Lists>(system_);
    }
    const auto full_names = full_names_of(lists_->inputs);
    const auto names = lasting_names(full_names);
    std::vector<Port> inputs;
    for (std::size_t i = 0; i < names.size(); ++i)
      inputs.push_back({names[i], full_names[i]});
    close_those_gone(inputs);
    for (unsigned i = 0; i < inputs.size(); ++i)
      open(inputs[i], i);
    open_ways_back();
    if (inputs.empty()) lists_.reset();
  } catch (const RtMidiError& error) {
    lists_.reset();
    devices_.clear();
    return {"", error.getMessage(), {}};
  }
  MidiScan scan{system_, "", {}};
  for (const auto& device : devices_)
    scan.devices.push_back(device->known);
  return scan;
}

// Of two equal devices the second is renamed to "X" once the first is unplugged; it is then not the
// "X" that is open. A device that came back between two scans has its old name, but its connection
// is gone.
void RtMidiPorts::close_those_gone(const std::vector<Port>& inputs) {
  const auto news = lists_->news->take();
  std::erase_if(devices_, [&](const auto& device) {
    const bool is_back = std::ranges::any_of(
        news, [&](const auto& name) { return is_news_of(device->full_name, name); });
    return is_back || std::ranges::none_of(inputs, [&](const Port& port) {
             return port.name == device->known.name && port.full == device->full_name;
           });
  });
}

void RtMidiPorts::open(const Port& port, unsigned number) {
  const auto& name = port.name;
  const bool is_open = std::ranges::any_of(devices_, [&](const auto& device) {
    return device->known.name == name && device->input != nullptr;
  });
  if (is_open || is_own(name)) return;
  std::erase_if(devices_, [&](const auto& device) { return device->known.name == name; });
  auto& device = *devices_.emplace_back(new Device{{name, false, "", 0}, port.full, deliver_});
  try {
    auto input = std::make_unique<RtMidiIn>(api_of(system_), kClient);
    input->setCallback(&Device::on_message, &device);
    input->openPort(number, "in");
    device.input = std::move(input);
    device.known.openings = ++openings_[name];
  } catch (const RtMidiError& error) {
    device.known.trouble = error.getMessage();
  }
}

// A device's input for feedback may appear later than its output, and may vanish alone.
void RtMidiPorts::open_ways_back() {
  const auto full_names = full_names_of(lists_->outputs);
  const auto outputs = lasting_names(full_names);
  for (const auto& device : devices_) {
    const auto back = find_way_back(device->known.name, outputs);
    const bool has_way_back = back < outputs.size();
    if (!has_way_back) device->output.reset();
    if (has_way_back && device->output == nullptr && device->input != nullptr)
      open_way_back(*device, static_cast<unsigned>(back));
    device->known.can_be_told =
        device->output != nullptr && lists_->news->is_reached(full_names[back]);
  }
}

void RtMidiPorts::open_way_back(Device& device, unsigned number) {
  try {
    auto output = std::make_unique<RtMidiOut>(api_of(system_), kClient);
    output->openPort(number, "out");
    device.output = std::move(output);
  } catch (const RtMidiError& error) {
    device.known.trouble = error.getMessage();
  }
}

void RtMidiPorts::send(const std::string& device, const MidiBytes& bytes) {
  for (const auto& known : devices_) {
    if (known->known.name != device || known->output == nullptr) continue;
    try {
      known->output->sendMessage(&bytes);
    } catch (const RtMidiError&) {
      known->output.reset();  // the next scan opens the device again and sends everything anew
      known->known.can_be_told = false;
      known->known.openings = ++openings_[device];
    }
  }
}

std::vector<std::string> lasting_names(const std::vector<std::string>& ports) {
  std::vector<std::string> names;
  std::map<std::string, int> count;
  for (const auto& port : ports) {
    auto name = std::string(without_number(port));
    const int nth = ++count[name];
    names.push_back(nth == 1 ? name : fmt::format("{} #{}", name, nth));
  }
  return names;
}

// ALSA gives both directions one name. JACK calls its own ports "capture" and "playback", and names
// others after their client.
std::size_t find_way_back(std::string_view input, const std::vector<std::string>& outputs) {
  std::string playback(input);
  if (const auto at = playback.find("capture"); at != std::string::npos)
    playback.replace(at, 7, "playback");
  const auto client = client_of(input);
  auto found = std::ranges::find_if(
      outputs, [&](const auto& name) { return name == input || name == playback; });
  if (found == outputs.end() && !client.empty() && client != "system")
    found =
        std::ranges::find_if(outputs, [&](const auto& name) { return client_of(name) == client; });
  return static_cast<std::size_t>(found - outputs.begin());
}

}  // namespace submix::input
