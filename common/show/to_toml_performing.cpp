// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/text.hpp"
#include "common/show/toml_writer.hpp"

#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace submix::show {
namespace {

std::string target_text(const Port& slot, const std::string& parameter) {
  return in_quotes(fmt::format("{}.{}", to_string(slot), parameter));
}

std::string text_of(const KnobTarget& target) {
  return fmt::format("{{ parameter = {}, from = {}, to = {} }}",
                     target_text(target.slot, target.parameter), target.from, target.to);
}

struct ChangeText {
  std::string operator()(const CueParameter& change) const {
    return fmt::format("{{ parameter = {}, value = {} }}",
                       target_text(change.slot, change.parameter), to_string(change.value));
  }
  std::string operator()(const CueKnob& change) const {
    return fmt::format("{{ knob = {}, value = {} }}", in_quotes(change.knob), change.value);
  }
  std::string operator()(const CuePreset& change) const {
    return fmt::format("{{ preset = {} }}", in_quotes(change.preset));
  }
  std::string operator()(const CueBypass& change) const {
    return fmt::format("{{ bypass = {}, value = {} }}", in_quotes(to_string(change.slot)),
                       change.is_bypassed);
  }
  std::string operator()(const CueAssign& change) const {
    return fmt::format("{{ assign = {}, node = {} }}", in_quotes(change.submix),
                       in_quotes(change.node));
  }
};

// One item a line, so that people can read and move the items.
void write_list(TomlWriter& out, const char* key, const std::vector<std::string>& items) {
  if (items.empty()) return;
  out.line("{} = [", key);
  for (const auto& item : items)
    out.line("  {},", item);
  out.line("]");
}

}  // namespace

void write_fades(TomlWriter& out, const Fades& fades) {
  if (!fades.empty()) out.line("    [submix.slot.fades]");
  for (const auto& [name, fade] : fades) {
    out.line("    {} = {{ from = {}, frame = {}, frames = {} }}", key_text(name), fade.from,
             fade.frame, fade.frames);
  }
}

void write_knob(TomlWriter& out, const Knob& knob) {
  out.line("\n[[knob]]\nname = {}\nvalue = {}", in_quotes(knob.name), knob.value);
  std::vector<std::string> targets;
  for (const auto& target : knob.targets)
    targets.push_back(text_of(target));
  write_list(out, "targets", targets);
}

void write_preset(TomlWriter& out, const Preset& preset) {
  out.line("\n[[preset]]\nname = {}\nof = {}", in_quotes(preset.name),
           in_quotes(preset.of.slot.empty() ? preset.of.submix : to_string(preset.of)));
  if (!preset.parameters.empty()) out.line("  [preset.parameters]");
  for (const auto& [name, value] : preset.parameters)
    out.line("  {} = {}", key_text(name), to_string(value));
  if (!preset.oscillators.empty()) out.line("  [preset.oscillators]");
  for (const auto& [name, oscillator] : preset.oscillators)
    out.line("  {} = {}", key_text(name), oscillator_text(oscillator));
}

void write_cue(TomlWriter& out, const Cue& cue) {
  out.line("\n[[cue]]\nname = {}", in_quotes(cue.name));
  if (!cue.text.empty()) out.line("text = {}", in_quotes(cue.text));
  if (cue.fade_seconds != 0.0) out.line("fade = {}", cue.fade_seconds);
  if (cue.is_paused) out.line("pause = {}", *cue.is_paused);
  if (cue.follow) {
    const bool is_beats = cue.follow->unit == FollowUnit::beats;
    out.line("follow = {{ {} = {} }}", is_beats ? "beats" : "seconds", cue.follow->after);
  }
  std::vector<std::string> changes;
  for (const auto& change : cue.changes)
    changes.push_back(std::visit(ChangeText(), change));
  write_list(out, "changes", changes);
}

}  // namespace submix::show
