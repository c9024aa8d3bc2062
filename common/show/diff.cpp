// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/diff.hpp"

#include "common/show/lookup.hpp"

#include <algorithm>
#include <utility>

namespace submix::show {
namespace {

bool is_same_slot(const Slot& a, const Slot& b) {
  return a.name == b.name && a.plugin == b.plugin && a.inputs == b.inputs && a.above == b.above &&
         a.hosting == b.hosting && a.helpers == b.helpers && a.is_stateless == b.is_stateless;
}

bool is_same_patch(const Submix& a, const Submix& b) {
  return a.frames_in_flight == b.frames_in_flight &&
         std::equal(a.slots.begin(), a.slots.end(), b.slots.begin(), b.slots.end(), is_same_slot);
}

SlotChange change_of(const std::string& submix, const Slot& before, const Slot& after) {
  SlotChange change{{submix, after.name}, {}, {}};
  for (const auto& [name, value] : after.parameters) {
    const auto old = before.parameters.find(name);
    if (old == before.parameters.end() || old->second != value)
      change.parameters.emplace(name, value);
  }
  for (const auto& [name, value] : before.parameters) {
    if (!after.parameters.contains(name)) change.parameters.emplace(name, std::nullopt);
  }
  if (before.is_bypassed != after.is_bypassed) change.is_bypassed = after.is_bypassed;
  if (before.oscillators != after.oscillators) change.oscillators = after.oscillators;
  if (before.fades != after.fades) change.fades = after.fades;
  return change;
}

bool is_tuned_only(const Stream& before, Stream after) {
  after.link_count = before.link_count;
  after.routes = before.routes;
  after.policy = before.policy;
  after.pause_budget = before.pause_budget;
  after.standby = before.standby;
  after.is_local_allowed = before.is_local_allowed;
  return before == after;
}

void compare(const Submix& before, const Submix& after, Difference& result) {
  if (before.node != after.node) result.moved.push_back(after.name);
  if (!is_same_patch(before, after)) {
    result.rebuilt.push_back(after.name);
    return;
  }
  for (std::size_t i = 0; i < after.slots.size(); ++i) {
    auto change = change_of(after.name, before.slots[i], after.slots[i]);
    if (!change.parameters.empty() || change.is_bypassed || change.oscillators || change.fades)
      result.tuned.push_back(std::move(change));
  }
}

}  // namespace

Difference diff(const Show& before, const Show& after) {
  Difference result;
  result.is_format_changed = before.size != after.size || before.rate != after.rate;
  result.is_tempo_changed = before.tempo != after.tempo;
  for (const auto& submix : after.submixes) {
    const auto* old = item_named(before.submixes, submix.name);
    if (old == nullptr) {
      result.added.push_back(submix.name);
    } else {
      compare(*old, submix, result);
    }
  }
  for (const auto& submix : before.submixes) {
    if (item_named(after.submixes, submix.name) == nullptr) result.removed.push_back(submix.name);
  }
  for (const auto& stream : after.streams) {
    const auto* old = item_named(before.streams, stream.name);
    if (old == nullptr) result.streams_added.push_back(stream.name);
    if (old == nullptr || *old == stream) continue;
    (is_tuned_only(*old, stream) ? result.streams_tuned : result.streams_changed)
        .push_back(stream.name);
  }
  for (const auto& stream : before.streams) {
    if (item_named(after.streams, stream.name) == nullptr)
      result.streams_removed.push_back(stream.name);
  }
  return result;
}

}  // namespace submix::show
