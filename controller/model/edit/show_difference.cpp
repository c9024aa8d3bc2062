// SPDX-License-Identifier: GPL-3.0-or-later
// difference() of show_edit.hpp: the edit between two shows.
#include "common/show/lookup.hpp"
#include "common/show/references.hpp"
#include "controller/model/edit/show_edit.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace submix::model {
namespace {

using Edits = std::vector<Edit>;

// In the document's order, so that a part comes after the part that it stands behind.
template <typename Item>
std::vector<Part<Item>> changed_parts(const std::vector<Item>& before,
                                      const std::vector<Item>& after,
                                      bool (*is_change)(const Item&, const Item&)) {
  std::vector<Part<Item>> parts;
  for (const auto& item : before) {
    if (!show::has_named(after, item.name)) parts.push_back({item.name, std::nullopt});
  }
  std::string last;
  for (const auto& item : after) {
    const auto former = show::find_named(before, item.name);
    if (former == before.end() || is_change(*former, item))
      parts.push_back({item.name, item, last});
    last = item.name;
  }
  return parts;
}

template <typename Item>
bool differ(const Item& a, const Item& b) {
  return !(a == b);
}

template <typename Value>
using Named = std::map<std::string, Value, std::less<>>;

template <typename Value>
std::optional<Value> value_in(const Named<Value>& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? std::nullopt : std::optional<Value>(found->second);
}

template <typename Value>
void add_changed_names(std::set<std::string>& names, const Named<Value>& before,
                       const Named<Value>& after) {
  for (const auto* values : {&before, &after}) {
    for (const auto& [name, value] : *values) {
      if (value_in(before, name) != value_in(after, name)) names.insert(name);
    }
  }
}

// Whether the slots differ only in values, which have edits of their own.
bool differ_in_values_only(show::Slot before, const show::Slot& after) {
  before.parameters = after.parameters;
  before.oscillators = after.oscillators;
  before.fades = after.fades;
  before.is_bypassed = after.is_bypassed;
  before.helpers = after.helpers;
  return before == after;
}

void add_slot_edits(Edits& edits, const show::Port& port, const show::Slot& before,
                    const show::Slot& after) {
  if (before.is_bypassed != after.is_bypassed)
    edits.emplace_back(SetBypass{port, after.is_bypassed});
  if (before.helpers != after.helpers) edits.emplace_back(SetHelpers{port, after.helpers});

  std::set<std::string> names;
  add_changed_names(names, before.parameters, after.parameters);
  for (const auto& name : names)
    edits.emplace_back(SetParameter{port, name, value_in(after.parameters, name)});

  std::erase_if(names, [&](const auto& name) {  // setting a value ends its fade
    return !before.fades.contains(name) && !after.fades.contains(name);
  });
  add_changed_names(names, before.fades, after.fades);
  for (const auto& name : names)
    edits.emplace_back(SetFade{port, name, value_in(after.fades, name)});

  names.clear();
  add_changed_names(names, before.oscillators, after.oscillators);
  for (const auto& name : names)
    edits.emplace_back(SetOscillator{port, name, value_in(after.oscillators, name)});
}

// The edits of a submix that both shows have, piece by piece.
void add_submix_edits(Edits& edits, const show::Submix& before, const show::Submix& after) {
  if (before.node != after.node) edits.emplace_back(AssignSubmix{after.name, after.node});
  if (before.frames_in_flight != after.frames_in_flight)
    edits.emplace_back(SetFramesInFlight{after.name, after.frames_in_flight});
  if (before.slots == after.slots) return;

  if (std::ranges::equal(before.slots, after.slots, differ_in_values_only)) {
    for (std::size_t i = 0; i < after.slots.size(); ++i)
      add_slot_edits(edits, {after.name, after.slots[i].name}, before.slots[i], after.slots[i]);
    return;
  }

  SetSlots slots{after.name, {}, changed_parts(before.slots, after.slots, differ<show::Slot>)};
  for (const auto& slot : after.slots)
    slots.order.push_back(slot.name);
  edits.emplace_back(std::move(slots));
}

// The sound of a clip moves with the clip's submix.
void add_sound_edit(Edits& edits, const show::Show& before, const show::Show& after) {
  auto moved = before.sound;
  for (const auto& submix : after.submixes) {
    const auto* former = before.find_submix(submix.name);
    const bool is_moved = former != nullptr && former->node != submix.node && !submix.node.empty();
    if (is_moved) moved = show::sound_after_move(moved, *former, submix.node);
  }
  if (moved != after.sound) edits.emplace_back(SetSound{after.sound});
}

// Settings of the whole show.
void add_setting_edits(Edits& edits, const show::Show& before, const show::Show& after) {
  if (before.name != after.name) edits.emplace_back(SetShowName{after.name});
  if (before.size != after.size) edits.emplace_back(SetShowSize{after.size});
  if (before.rate != after.rate) edits.emplace_back(SetShowRate{after.rate});
  if (before.delay_frames != after.delay_frames)
    edits.emplace_back(SetShowDelay{after.delay_frames});
  if (before.output_chain != after.output_chain)
    edits.emplace_back(SetOutputChain{after.output_chain});
}

// Added, removed and changed items of one list of the show.
template <typename Item>
void add_part_edits(Edits& edits, const std::vector<Item>& before, const std::vector<Item>& after) {
  auto parts = changed_parts(before, after, differ<Item>);
  if (!parts.empty()) edits.emplace_back(SetParts<Item>{std::move(parts)});
}

// The order matters, because GO follows it. A part that both shows have stays at its place.
void add_cue_edits(Edits& edits, const show::Show& before, const show::Show& after) {
  add_part_edits(edits, before.cues, after.cues);

  show::Show changed;
  changed.cues = before.cues;
  const SetCues parts{changed_parts(before.cues, after.cues, differ<show::Cue>)};
  const auto order = present_part(after, SetCueOrder{});
  if (apply_part(changed, parts) && *present_part(changed, SetCueOrder{}) != *order)
    edits.emplace_back(*order);
}

// Added and removed submixes as a whole; the others piece by piece.
void add_all_submix_edits(Edits& edits, const show::Show& before, const show::Show& after) {
  constexpr auto kIsEditedInPieces =
      +[](const show::Submix&, const show::Submix&) { return false; };
  auto submixes = changed_parts(before.submixes, after.submixes, kIsEditedInPieces);
  if (!submixes.empty()) edits.emplace_back(SetSubmixes{std::move(submixes)});

  for (const auto& submix : after.submixes) {
    if (const auto* former = before.find_submix(submix.name))
      add_submix_edits(edits, *former, submix);
  }
}

}  // namespace

// Nodes come before submixes and these before streams and the sound, because later edits name
// earlier parts.
Edit difference(const show::Show& before, const show::Show& after, std::string title) {
  EditGroup group{std::move(title), {}};
  auto& edits = group.edits;
  add_setting_edits(edits, before, after);
  add_part_edits(edits, before.nodes, after.nodes);
  add_all_submix_edits(edits, before, after);
  add_sound_edit(edits, before, after);
  add_part_edits(edits, before.streams, after.streams);
  if (before.tempo != after.tempo) edits.emplace_back(SetTempo{after.tempo});
  add_part_edits(edits, before.knobs, after.knobs);
  add_part_edits(edits, before.presets, after.presets);
  add_cue_edits(edits, before, after);
  if (before.next_cue != after.next_cue) edits.emplace_back(SetNextCue{after.next_cue});
  if (before.following != after.following) edits.emplace_back(SetFollowing{after.following});
  return group;
}

}  // namespace submix::model
