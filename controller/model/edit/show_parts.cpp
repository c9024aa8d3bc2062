// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/show_parts.hpp"

#include "common/show/lookup.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace submix::model {
namespace {

template <typename Item>
Part<Item> present_of(const std::vector<Item>& items, const Part<Item>& part) {
  const auto found = show::find_named(items, part.name);
  if (found == items.end()) return {part.name, std::nullopt, part.after};
  return {part.name, *found, found == items.begin() ? std::string() : std::prev(found)->name};
}

template <typename Item>
std::vector<Part<Item>> present_of(const std::vector<Item>& items,
                                   const std::vector<Part<Item>>& parts) {
  std::vector<Part<Item>> now;
  for (const auto& part : parts)
    now.push_back(present_of(items, part));
  return now;
}

template <typename Item>
void put(std::vector<Item>& items, const Part<Item>& part) {
  const auto found = show::find_named(items, part.name);
  if (found != items.end() && part.item) {
    *found = *part.item;
  } else if (found != items.end()) {
    items.erase(found);
  } else if (part.item) {
    const auto before = show::find_named(items, part.after);
    const auto place = part.after.empty()      ? items.begin()
                       : before == items.end() ? before
                                               : std::next(before);
    items.insert(place, *part.item);
  }
}

template <typename Item>
Result<void> put(std::vector<Item>& items, const SetParts<Item>& edit) {
  for (const auto& part : edit.parts)
    put(items, part);
  return {};
}

}  // namespace

tl::unexpected<Error> no_submix(std::string_view name) {
  return fail("the show has no submix \"{}\" any more", name);
}

Result<SetSubmixes> present_part(const show::Show& show, const SetSubmixes& edit) {
  return SetSubmixes{present_of(show.submixes, edit.parts)};
}
Result<SetStreams> present_part(const show::Show& show, const SetStreams& edit) {
  return SetStreams{present_of(show.streams, edit.parts)};
}
Result<SetNodes> present_part(const show::Show& show, const SetNodes& edit) {
  return SetNodes{present_of(show.nodes, edit.parts)};
}

Result<SetKnobs> present_part(const show::Show& show, const SetKnobs& edit) {
  return SetKnobs{present_of(show.knobs, edit.parts)};
}
Result<SetPresets> present_part(const show::Show& show, const SetPresets& edit) {
  return SetPresets{present_of(show.presets, edit.parts)};
}
Result<SetCues> present_part(const show::Show& show, const SetCues& edit) {
  return SetCues{present_of(show.cues, edit.parts)};
}

Result<SetCueOrder> present_part(const show::Show& show, const SetCueOrder&) {
  SetCueOrder now;
  for (const auto& cue : show.cues)
    now.order.push_back(cue.name);
  return now;
}

Result<SetSlots> present_part(const show::Show& show, const SetSlots& edit) {
  const auto* submix = show.find_submix(edit.submix);
  if (submix == nullptr) return no_submix(edit.submix);
  SetSlots now{edit.submix, {}, present_of(submix->slots, edit.parts)};
  for (const auto& slot : submix->slots)
    now.order.push_back(slot.name);
  return now;
}

Result<SetFramesInFlight> present_part(const show::Show& show, const SetFramesInFlight& edit) {
  const auto* submix = show.find_submix(edit.submix);
  if (submix == nullptr) return no_submix(edit.submix);
  return SetFramesInFlight{edit.submix, submix->frames_in_flight};
}

Result<SetShowName> present_part(const show::Show& show, const SetShowName&) {
  return SetShowName{show.name};
}
Result<SetShowSize> present_part(const show::Show& show, const SetShowSize&) {
  return SetShowSize{show.size};
}
Result<SetShowRate> present_part(const show::Show& show, const SetShowRate&) {
  return SetShowRate{show.rate};
}
Result<SetShowDelay> present_part(const show::Show& show, const SetShowDelay&) {
  return SetShowDelay{show.delay_frames};
}
Result<SetSound> present_part(const show::Show& show, const SetSound&) {
  return SetSound{show.sound};
}
Result<SetOutputChain> present_part(const show::Show& show, const SetOutputChain&) {
  return SetOutputChain{show.output_chain};
}

Result<void> apply_part(show::Show& show, const SetSubmixes& edit) {
  return put(show.submixes, edit);
}
Result<void> apply_part(show::Show& show, const SetStreams& edit) {
  return put(show.streams, edit);
}
Result<void> apply_part(show::Show& show, const SetNodes& edit) {
  return put(show.nodes, edit);
}

Result<void> apply_part(show::Show& show, const SetKnobs& edit) {
  return put(show.knobs, edit);
}
Result<void> apply_part(show::Show& show, const SetPresets& edit) {
  return put(show.presets, edit);
}
Result<void> apply_part(show::Show& show, const SetCues& edit) {
  return put(show.cues, edit);
}

// Fails if another person has added or removed a cue meanwhile: its place in the order is unknown.
Result<void> apply_part(show::Show& show, const SetCueOrder& edit) {
  std::vector<show::Cue> cues;
  for (const auto& name : edit.order) {
    const auto found = show::find_named(show.cues, name);
    if (found != show.cues.end()) cues.push_back(*found);
  }
  if (cues.size() != show.cues.size() || cues.size() != edit.order.size())
    return fail("cues were added, deleted or renamed elsewhere meanwhile; move the cue again");
  show.cues = std::move(cues);
  return {};
}

// Fails if another person has added or removed a slot meanwhile: its place in the order is unknown.
Result<void> apply_part(show::Show& show, const SetSlots& edit) {
  auto* submix = show.find_submix(edit.submix);
  if (submix == nullptr) return no_submix(edit.submix);
  auto rest = submix->slots;
  for (const auto& part : edit.parts)
    put(rest, part);
  std::vector<show::Slot> slots;
  for (const auto& name : edit.order) {
    const auto found = show::find_named(rest, name);
    if (found != rest.end()) slots.push_back(*found);
  }
  if (slots.size() != rest.size() || slots.size() != edit.order.size())
    return fail("slots of submix \"{}\" were added or deleted elsewhere meanwhile", edit.submix);
  submix->slots = std::move(slots);
  return {};
}

Result<void> apply_part(show::Show& show, const SetFramesInFlight& edit) {
  auto* submix = show.find_submix(edit.submix);
  if (submix == nullptr) return no_submix(edit.submix);
  submix->frames_in_flight = edit.frames;
  return {};
}

Result<void> apply_part(show::Show& show, const SetShowName& edit) {
  show.name = edit.name;
  return {};
}
Result<void> apply_part(show::Show& show, const SetShowSize& edit) {
  show.size = edit.size;
  return {};
}
Result<void> apply_part(show::Show& show, const SetShowRate& edit) {
  show.rate = edit.rate;
  return {};
}
Result<void> apply_part(show::Show& show, const SetShowDelay& edit) {
  show.delay_frames = edit.frames;
  return {};
}
Result<void> apply_part(show::Show& show, const SetSound& edit) {
  show.sound = edit.sound;
  return {};
}
Result<void> apply_part(show::Show& show, const SetOutputChain& edit) {
  show.output_chain = edit.submix;
  return {};
}

}  // namespace submix::model
