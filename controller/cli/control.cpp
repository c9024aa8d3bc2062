// SPDX-License-Identifier: GPL-3.0-or-later
// submix control
#include "common/base/plain_text.hpp"
#include "common/base/stop_signal.hpp"
#include "common/cluster/followed_key.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/line_budget.hpp"
#include "controller/input/input_service.hpp"
#include "controller/input/rtmidi_ports.hpp"
#include "controller/session/nats_access.hpp"

#include <fmt/format.h>

#include <chrono>
#include <ostream>

namespace submix::cli {
namespace {

constexpr std::chrono::milliseconds kControlLook{50};
constexpr std::size_t kLineBytesMax = 4096;
constexpr std::size_t kHeardLinesMax = 20;  // per second: a display of incoming values, no record

/// Prints news and remembers what was printed.
class Printer {
 public:
  explicit Printer(Context& context) : context_(context) {}

  void print(const model::ClusterView& cluster, const input::InputView& input) {
    line(connection_,
         fmt::format("cluster: {} ({})", to_string(cluster.connection), cluster.connection_text));
    line(osc_, osc_text(input));
    line(midi_, midi_text(input));
    line(link_, link_text(input.link));
    line(music_, "music: " + input.music.text);
    print_heard(input);
    for (const auto& event : cluster.events) {
      if (event.id <= event_ || !event.event.node.empty()) continue;
      event_ = event.id;
      context_.out << plain_text(event.event.about + ": " + event.event.text, kLineBytesMax)
                   << '\n';
    }
    context_.out << std::flush;
  }

 private:
  void print_heard(const input::InputView& input) {
    const auto now = SteadyClock().now();
    for (const auto& heard : input.heard) {
      if (heard.id <= heard_) continue;
      budget_.miss(heard.id - heard_ - 1);
      heard_ = heard.id;
      if (budget_.admit(now)) {
        context_.out << heard.text << '\n';  // plain already
      } else {
        flood_from_ = heard.text.substr(0, heard.text.find(": "));
      }
    }
    if (const auto rate = budget_.take_flood(now))
      context_.out << fmt::format("a flood from {}, {} a second\n", flood_from_, *rate);
  }
  void line(std::string& known, std::string now) {
    if (now != known) context_.out << plain_text(now, kLineBytesMax) << '\n';
    known = std::move(now);
  }
  static std::string osc_text(const input::InputView& input) {
    if (!input.osc.is_on) return "OSC: off; --osc 7770 turns it on";
    if (!input.osc_address.empty()) return "OSC: UDP " + input.osc_address;
    return "OSC: not there" + (input.osc_trouble.empty() ? "" : ": " + input.osc_trouble);
  }
  static std::string midi_text(const input::InputView& input) {
    if (!input.is_midi_on) return "MIDI: off";
    if (input.midi.system.empty())
      return "MIDI: none" + (input.midi.reason.empty() ? "" : ": " + input.midi.reason);
    auto text = fmt::format("MIDI: by {}, {} mappings", input.midi.system, input.mappings.size());
    for (const auto& device : input.midi.devices)
      text +=
          fmt::format(", {}{}", device.name, device.trouble.empty() ? "" : " (cannot be opened)");
    return text;
  }
  static std::string link_text(const input::LinkState& link) {
    return link.is_on ? fmt::format("Link: {:.2f} beats a minute, {} peers", link.tempo, link.peers)
                      : "Link: off";
  }

  Context& context_;
  std::string connection_;
  std::string osc_;
  std::string midi_;
  std::string link_;
  std::string music_;
  LineBudget budget_{kHeardLinesMax};
  std::string flood_from_;  // of several floods, the source heard last
  std::uint64_t heard_ = 0;
  std::uint64_t event_ = 0;
};

}  // namespace

int run_control(Context& context, const ControlOptions& options) {
  auto input_options = input::input_options(options.input);
  if (!input_options) return failed(context, input_options.error().message);
  auto key = read_key(context);
  if (!key) return failed(context, key.error().message);
  StopSignal stop;  // before all threads
  const SteadyClock clock;
  session::Session session(
      std::make_unique<session::NatsAccess>(cluster::BusSettings{
          .url = context.url,
          .name = "submix control",
          .key = *std::move(key),
          .followed = cluster::FollowedKey::of(context.key_file, "submix control")}),
      clock, {.author = author("control")});
  const input::InputService input(
      session, clock, [] { return std::make_unique<input::RtMidiPorts>(); },
      *std::move(input_options));
  Printer printer(context);
  do {
    printer.print(*session.view(), *input.view());
  } while (context.out && !stop.wait_for(kControlLook));
  return kOk;
}

}  // namespace submix::cli
