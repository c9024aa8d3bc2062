// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/renames.hpp"

#include "common/show/lookup.hpp"

#include <algorithm>
#include <cstddef>

namespace submix::model {
namespace {

bool is_same_but_name(const show::Knob& a, const show::Knob& b) {
  return a.targets == b.targets;
}

bool is_same_but_name(show::Cue a, const show::Cue& b) {
  a.name = b.name;
  return a == b;
}

bool is_same_but_name(show::Preset a, const show::Preset& b) {
  a.name = b.name;
  return a == b;
}

bool is_same_but_name(const show::Slot& a, const show::Slot& b) {
  return a.plugin == b.plugin;
}

bool is_same_but_name(const show::Submix& a, const show::Submix& b) {
  return std::ranges::equal(a.slots, b.slots, [](const show::Slot& one, const show::Slot& other) {
    return one.name == other.name && one.plugin == other.plugin;
  });
}

// A renamed item stays at its place in the list.
template <typename Items>
std::vector<Renamed<std::string>> renamed_items(const Items& before, const Items& after) {
  std::vector<Renamed<std::string>> names;
  if (before.size() != after.size()) return names;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto& from = before[i];
    const auto& to = after[i];
    const bool is_gone = !show::has_named(after, from.name);
    const bool is_new = !show::has_named(before, to.name);
    if (is_gone && is_new && is_same_but_name(from, to)) names.push_back({from.name, to.name});
  }
  return names;
}

// Submixes and slots are often alike. A person renames one at a time: where several names differ,
// they are others.
template <typename Items>
std::vector<Renamed<std::string>> renamed_item(const Items& before, const Items& after) {
  auto names = renamed_items(before, after);
  if (names.size() > 1) names.clear();
  return names;
}

std::vector<Renamed<show::Port>> renamed_slots(const show::Show& before, const show::Show& after,
                                               const Renames& renames) {
  std::vector<Renamed<show::Port>> ports;
  for (const auto& [from, to] : renames.submixes) {
    for (const auto& slot : before.find_submix(from)->slots)
      ports.push_back({{from, slot.name}, {to, slot.name}});
  }
  for (const auto& submix : before.submixes) {
    const auto* same = after.find_submix(submix.name);
    if (same == nullptr) continue;
    for (const auto& [from, to] : renamed_item(submix.slots, same->slots))
      ports.push_back({{submix.name, from}, {submix.name, to}});
  }
  return ports;
}

}  // namespace

Renames renames_between(const show::Show& before, const show::Show& after) {
  if (before.name != after.name) return {};
  Renames renames{.cues = renamed_items(before.cues, after.cues),
                  .knobs = renamed_items(before.knobs, after.knobs),
                  .presets = renamed_items(before.presets, after.presets),
                  .submixes = renamed_item(before.submixes, after.submixes),
                  .slots = {}};
  renames.slots = renamed_slots(before, after, renames);
  return renames;
}

}  // namespace submix::model
