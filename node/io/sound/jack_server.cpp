// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/jack_server.hpp"

#include "common/base/plain_text.hpp"
#include "common/show/sound.hpp"
#include "node/io/sound/jack_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>

namespace submix::io {
namespace {

constexpr std::size_t kPortTitleBytesMax = 100;

void drop_message(const char* /*text*/) {}

/// Stops libjack from writing to stderr; its errors are also returned.
void silence_jack() {
  static std::once_flag silenced;
  std::call_once(silenced, [] {
    ::jack_set_error_function(drop_message);
    ::jack_set_info_function(drop_message);
  });
}

struct PortsDeleter {
  void operator()(const char** ports) const { ::jack_free(static_cast<void*>(ports)); }
};

std::string_view client_of(std::string_view port) {
  return port.substr(0, port.find(':'));
}

CaptureDevice port_input(const std::string& port) {
  return {"jack:" + port, plain_text("JACK: " + port, kPortTitleBytesMax)};
}

CaptureDevice pair_input(const std::string& left, const std::string& right) {
  const auto title = fmt::format("JACK: {}, both ports", client_of(left));
  return {fmt::format("jack:{},{}", left, right), plain_text(title, kPortTitleBytesMax)};
}

/// Whether `device` in a show names exactly these ports. A comma in a port's name would split it.
bool leads_to(const std::string& device, std::span<const std::string> ports) {
  const auto named = show::jack_ports(device);
  return named && show::check_sound_name(device) && std::ranges::equal(*named, ports);
}

void add_client(std::vector<CaptureDevice>& inputs, std::span<const std::string> ports) {
  if (ports.size() == 2) {
    auto both = pair_input(ports[0], ports[1]);
    if (leads_to(both.device, ports)) inputs.push_back(std::move(both));
  }
  for (const auto& port : ports) {
    auto one = port_input(port);
    if (leads_to(one.device, {&port, 1})) inputs.push_back(std::move(one));
  }
}

}  // namespace

Result<JackClient> open_jack_client(const char* name) {
  silence_jack();
  jack_status_t status{};
  JackClient client(::jack_client_open(name, JackNoStartServer, &status));
  if (client) return client;
  if ((status & JackServerFailed) != 0)
    return fail("no JACK server runs for this user; start one, with QjackCtl or jackd");
  if ((status & JackVersionError) != 0)
    return fail("the JACK server has another version than this computer's libjack");
  return fail("the JACK server refuses Submix, with status {:#x}", static_cast<unsigned>(status));
}

std::vector<std::string> jack_outputs(jack_client_t* client, bool is_capture) {
  const unsigned long flags = JackPortIsOutput | (is_capture ? JackPortIsPhysical : 0);
  const std::unique_ptr<const char*, PortsDeleter> ports(
      ::jack_get_ports(client, nullptr, JACK_DEFAULT_AUDIO_TYPE, flags));
  std::vector<std::string> names;
  for (const auto* port = ports.get(); port != nullptr && *port != nullptr; ++port)
    names.emplace_back(*port);
  return names;
}

std::vector<CaptureDevice> jack_inputs_of(const std::vector<std::string>& outputs,
                                          bool has_capture) {
  std::vector<CaptureDevice> inputs;
  if (has_capture) inputs.push_back({"jack", "JACK: all capture ports"});
  for (auto ports = std::span(outputs); !ports.empty();) {
    const auto is_other = [client = client_of(ports.front())](const std::string& port) {
      return client_of(port) != client;
    };
    const auto end = std::ranges::find_if(ports, is_other);
    const auto count = static_cast<std::size_t>(end - ports.begin());
    add_client(inputs, ports.first(count));
    ports = ports.subspan(count);
  }
  return inputs;
}

std::vector<CaptureDevice> jack_inputs(const std::stop_token& stop,
                                       std::chrono::milliseconds patience) {
  const auto look = []() -> Result<std::vector<CaptureDevice>> {
    const auto client = open_jack_client("submix-look");
    SUBMIX_TRY(client);
    const bool has_capture = !jack_outputs(client->get(), true).empty();
    return jack_inputs_of(jack_outputs(client->get(), false), has_capture);
  };
  auto inputs = ask_jack<std::vector<CaptureDevice>>(look, stop, patience);
  return inputs ? *std::move(inputs) : std::vector<CaptureDevice>();
}

}  // namespace submix::io
