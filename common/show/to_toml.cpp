// SPDX-License-Identifier: GPL-3.0-or-later
// The text is written by hand because toml++ sorts the keys of a table, and people read these
// files, too.
#include "common/show/parse.hpp"
#include "common/show/text.hpp"
#include "common/show/toml_writer.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace submix::show {
namespace {

void write_node(TomlWriter& out, const Node& node) {
  out.line("\n[[node]]\nname = {}", in_quotes(node.name));
  if (!node.description.empty()) out.line("description = {}", in_quotes(node.description));
}

void write_slot(TomlWriter& out, const Slot& slot) {
  out.line("\n  [[submix.slot]]\n  name = {}\n  plugin = {}", in_quotes(slot.name),
           in_quotes(slot.plugin));
  if (slot.inputs) {
    std::vector<std::string> names;
    for (const auto& input : *slot.inputs)
      names.push_back(in_quotes(input));
    out.line("  inputs = [{}]", fmt::join(names, ", "));
  }
  if (slot.is_bypassed) out.line("  bypass = true");
  if (slot.hosting != Slot().hosting && family_of(slot.plugin) != nullptr)
    out.line("  host = {}", in_quotes(to_string(slot.hosting)));
  if (slot.helpers != Slot().helpers) out.line("  helpers = {}", slot.helpers);
  if (slot.is_stateless) out.line("  stateless = true");
  if (!slot.parameters.empty()) out.line("    [submix.slot.parameters]");
  for (const auto& [name, value] : slot.parameters)
    out.line("    {} = {}", key_text(name), to_string(value));
  if (!slot.oscillators.empty()) out.line("    [submix.slot.oscillators]");
  for (const auto& [name, oscillator] : slot.oscillators)
    out.line("    {} = {}", key_text(name), oscillator_text(oscillator));
  write_fades(out, slot.fades);
}

void write_tempo(TomlWriter& out, const Tempo& tempo) {
  const Tempo initial;
  if (tempo.beats_per_minute != initial.beats_per_minute)
    out.line("tempo = {}", tempo.beats_per_minute);
  if (tempo.master_speed != initial.master_speed) out.line("master_speed = {}", tempo.master_speed);
  if (tempo.since.count() != 0 || tempo.seconds != 0.0 || tempo.beats != 0.0) {
    out.line("tempo_begin = {{ since = {}, seconds = {}, beats = {} }}", tempo.since.count(),
             tempo.seconds, tempo.beats);
  }
  std::vector<std::string> former;
  for (const auto& segment : tempo.before) {
    former.push_back(
        fmt::format("{{ tempo = {}, master_speed = {}, since = {}, seconds = {}, beats = {} }}",
                    segment.beats_per_minute, segment.master_speed, segment.since.count(),
                    segment.seconds, segment.beats));
  }
  if (!former.empty()) out.line("former_tempos = [{}]", fmt::join(former, ", "));
}

void write_sound(TomlWriter& out, const SoundInput& sound) {
  if (sound == SoundInput()) return;
  const auto device =
      sound.device.empty() ? "" : fmt::format(", device = {}", in_quotes(sound.device));
  out.line("sound = {{ node = {}{} }}", in_quotes(sound.node), device);
}

std::string pace_text(const std::optional<double>& beats, double frequency) {
  return beats ? fmt::format("beats = {}", *beats) : fmt::format("frequency = {}", frequency);
}

// What announce() adds to an oscillator.
std::string announced_text(const Oscillator& oscillator) {
  std::string text;
  if (oscillator.since.count() != 0) text += fmt::format(", since = {}", oscillator.since.count());
  if (oscillator.shift != 0.0) text += fmt::format(", shift = {}", oscillator.shift);
  std::vector<std::string> former;
  for (const auto& pace : oscillator.before) {
    former.push_back(fmt::format("{{ {}, since = {}, shift = {} }}",
                                 pace_text(pace.beats, pace.frequency), pace.since.count(),
                                 pace.shift));
  }
  if (!former.empty()) text += fmt::format(", before = [{}]", fmt::join(former, ", "));
  return text;
}

void write_submix(TomlWriter& out, const Submix& submix) {
  out.line("\n[[submix]]\nname = {}", in_quotes(submix.name));
  if (!submix.node.empty()) out.line("node = {}", in_quotes(submix.node));
  if (submix.frames_in_flight != 0) out.line("frames_in_flight = {}", submix.frames_in_flight);
  for (const auto& slot : submix.slots)
    write_slot(out, slot);
}

void write_stream(TomlWriter& out, const Stream& stream) {
  out.line("\n[[stream]]\nname = {}\nfrom = {}\nto = {}\npolicy = {}", in_quotes(stream.name),
           in_quotes(to_string(stream.from)), in_quotes(to_string(stream.to)),
           in_quotes(to_string(stream.policy)));
  if (stream.pause_budget != Stream().pause_budget)
    out.line("pause_budget_ms = {}", stream.pause_budget.count());
  if (!stream.standby.empty()) out.line("standby = {}", in_quotes(stream.standby));
  if (stream.congestion != Stream().congestion)
    out.line("congestion = {}", in_quotes(stream.congestion));
  if (stream.pixels != Stream().pixels)
    out.line("pixels = {}", in_quotes(to_string(stream.pixels)));
  if (stream.checksum != Stream().checksum)
    out.line("checksum = {}", in_quotes(to_string(stream.checksum)));
  if (stream.is_encrypted != Stream().is_encrypted) out.line("encrypt = {}", stream.is_encrypted);
  if (stream.is_local_allowed != Stream().is_local_allowed)
    out.line("local = {}", in_quotes(local_to_string(stream.is_local_allowed)));
  if (stream.routes.empty()) return out.line("links = {}", stream.link_count);
  std::vector<std::string> routes;
  for (const auto& route : stream.routes) {
    routes.push_back(
        fmt::format("{{ from = {}, to = {} }}", in_quotes(route.from), in_quotes(route.to)));
  }
  out.line("links = [{}]", fmt::join(routes, ", "));
}

}  // namespace

std::string key_text(std::string_view key) {
  const auto is_bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  return !key.empty() && std::ranges::all_of(key, is_bare) ? std::string(key) : in_quotes(key);
}

std::string oscillator_text(const Oscillator& oscillator) {
  std::string settings = fmt::format("waveform = {}", in_quotes(to_string(oscillator.waveform)));
  const auto add = [&](const char* key, double value, double initial) {
    if (value != initial) settings += fmt::format(", {} = {}", key, value);
  };
  const Oscillator initial;
  const bool is_pace_idle = follows_sound(oscillator.waveform) && !oscillator.beats &&
                            oscillator.frequency == initial.frequency;
  if (!is_pace_idle) settings += ", " + pace_text(oscillator.beats, oscillator.frequency);
  add("phase", oscillator.phase, initial.phase);
  add("width", oscillator.width, initial.width);
  settings += fmt::format(", from = {}, to = {}", oscillator.from, oscillator.to);
  add("start", oscillator.start, initial.start);
  if (oscillator.shots != initial.shots) settings += fmt::format(", shots = {}", oscillator.shots);
  if (!oscillator.is_on) settings += ", on = false";
  settings += announced_text(oscillator);
  return fmt::format("{{ {} }}", settings);
}

std::string to_toml(const Show& show) {
  TomlWriter out;
  out.line("[show]\nname = {}\nsize = [{}, {}]\nrate = {}", in_quotes(show.name), show.size.width,
           show.size.height, in_quotes(to_string(show.rate)));
  if (show.delay_frames != 0) out.line("delay = {}", show.delay_frames);
  write_tempo(out, show.tempo);
  write_sound(out, show.sound);
  if (!show.output_chain.empty()) out.line("output_chain = {}", in_quotes(show.output_chain));
  if (!show.next_cue.empty()) out.line("next_cue = {}", in_quotes(show.next_cue));
  if (show.following) out.line("following = {}", show.following->count());
  for (const auto& node : show.nodes)
    write_node(out, node);
  for (const auto& submix : show.submixes)
    write_submix(out, submix);
  for (const auto& stream : show.streams)
    write_stream(out, stream);
  for (const auto& knob : show.knobs)
    write_knob(out, knob);
  for (const auto& preset : show.presets)
    write_preset(out, preset);
  for (const auto& cue : show.cues)
    write_cue(out, cue);
  return std::move(out).text();
}

}  // namespace submix::show
