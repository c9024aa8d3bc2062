// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/references.hpp"

#include "common/show/macros.hpp"
#include "common/show/sound.hpp"
#include "common/show/text.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace submix::show {
namespace {

constexpr std::string_view kChainBehind = "output:";  // a copy of the output chain: "output:mix"

struct Rename {
  const Port& from;
  const Port& to;

  void operator()(Port& port) const {
    if (port.submix != from.submix || (!from.slot.empty() && port.slot != from.slot)) return;
    port.submix = to.submix;
    if (!from.slot.empty()) port.slot = to.slot;
  }
  void operator()(CueParameter& change) const { (*this)(change.slot); }
  void operator()(CueBypass& change) const { (*this)(change.slot); }
  void operator()(CueAssign& change) const {
    if (from.slot.empty() && change.submix == from.submix) change.submix = to.submix;
  }
  void operator()(CueKnob&) const {}
  void operator()(CuePreset&) const {}

  // Renames the slot in a whole submix's preset, whose parameters are named "slot.parameter".
  template <typename Values>
  void follow_names(Values& values) const {
    Values renamed;
    for (auto& [name, value] : values) {
      const bool is_its = name.starts_with(from.slot + ".");
      renamed.emplace(is_its ? to.slot + name.substr(from.slot.size()) : name, std::move(value));
    }
    values = std::move(renamed);
  }
};

/// Takes the name before the next `separator` from `text`.
std::string_view take_name(std::string_view& text, char separator) {
  const auto end = std::min(text.find(separator), text.size());
  const auto name = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return name;
}

std::string submix_behind(const Show& show, const Port& port) {
  const auto* slot = show.find_slot(port);
  return slot == nullptr ? std::string() : std::string(macro_of(*slot));
}

/// `place` names slots within slots: "look/clip" is the slot "clip" of the submix that stands in
/// slot "look". `show` has the former name of the renamed slot.
std::string renamed_place(const Show& show, std::string submix, std::string_view place,
                          const Rename& rename) {
  std::string renamed;
  while (!place.empty()) {
    auto name = take_name(place, '/');
    const bool is_chain = name.starts_with(kChainBehind);
    if (is_chain) name.remove_prefix(kChainBehind.size());
    const Port before{submix, std::string(name)};
    auto after = before;
    rename(after);

    if (is_chain) renamed += kChainBehind;
    renamed += after.slot;
    if (!place.empty()) renamed += '/';
    submix = is_chain ? show.output_chain : submix_behind(show, before);
  }
  return renamed;
}

void follow_in_sound(Show& show, const Rename& rename) {
  auto place = slot_of_sound(show.sound.device);
  if (!place) return;
  Port port{std::string(take_name(*place, '.')), std::string(*place)};
  if (rename.from.slot.empty()) {
    rename(port);
  } else {
    port.slot = renamed_place(show, port.submix, port.slot, rename);
  }
  show.sound.device = sound_of_slot(to_string(port));
}

template <typename Items>
bool has(const Items& items, std::string_view name) {
  return std::ranges::any_of(items, [&](const auto& item) { return item.name == name; });
}

struct IsMissing {
  const Show& show;

  bool operator()(const CueParameter& change) const {
    return show.find_slot(change.slot) == nullptr;
  }
  bool operator()(const CueBypass& change) const { return show.find_slot(change.slot) == nullptr; }
  bool operator()(const CueAssign& change) const {
    return show.find_submix(change.submix) == nullptr ||
           (!change.node.empty() && !has(show.nodes, change.node));
  }
  bool operator()(const CueKnob& change) const { return !has(show.knobs, change.knob); }
  bool operator()(const CuePreset& change) const { return !has(show.presets, change.preset); }
};

// Removes the values of missing slots from a whole submix's preset.
template <typename Values>
void forget_names(const Show& show, const Port& of, Values& values) {
  std::erase_if(values, [&](const auto& value) {
    return show.find_slot({of.submix, value.first.substr(0, value.first.find('.'))}) == nullptr;
  });
}

}  // namespace

void follow_rename(Show& show, const Port& from, const Port& to) {
  const Rename rename{from, to};
  for (auto& knob : show.knobs) {
    for (auto& target : knob.targets)
      rename(target.slot);
  }
  for (auto& preset : show.presets) {
    const bool has_its_names = preset.of == Port{from.submix, ""} && !from.slot.empty();
    if (has_its_names) {
      rename.follow_names(preset.parameters);
      rename.follow_names(preset.oscillators);
    } else {
      rename(preset.of);
    }
  }
  for (auto& cue : show.cues) {
    for (auto& change : cue.changes)
      std::visit(rename, change);
  }
  follow_in_sound(show, rename);
}

SoundInput sound_after_move(SoundInput sound, const Submix& submix, std::string_view new_node) {
  auto place = slot_of_sound(sound.device);
  if (place && take_name(*place, '.') == submix.name && sound.node == submix.node)
    sound.node = new_node;
  return sound;
}

void forget_missing(Show& show) {
  for (auto& knob : show.knobs)
    std::erase_if(knob.targets,
                  [&](const auto& target) { return show.find_slot(target.slot) == nullptr; });
  std::erase_if(show.presets, [&](const Preset& preset) {
    return preset.of.slot.empty() ? show.find_submix(preset.of.submix) == nullptr
                                  : show.find_slot(preset.of) == nullptr;
  });
  for (auto& preset : show.presets) {
    if (!preset.of.slot.empty()) continue;
    forget_names(show, preset.of, preset.parameters);
    forget_names(show, preset.of, preset.oscillators);
  }
  for (auto& cue : show.cues)
    std::erase_if(cue.changes,
                  [&](const CueChange& change) { return std::visit(IsMissing{show}, change); });
  if (!has(show.cues, show.next_cue)) show.next_cue.clear();
  if (show.cues.empty()) show.following.reset();
}

}  // namespace submix::show
