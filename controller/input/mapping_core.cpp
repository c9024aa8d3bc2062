// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/mapping_core.hpp"

#include "common/show/nearest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace submix::input {
namespace {

using Kind = MidiControl::Kind;

// A control meets its target within one and a half of the coarsest steps.
constexpr double kMeet = 1.6 / 127;
constexpr double kSamePosition = 1e-6;  // two positions this close come from one value
constexpr double kRelativeStep = 1.0 / 127;
constexpr std::array<std::string_view, 4> kResponses{"absolute", "toggle", "momentary", "relative"};

// Null: it is no plain MIDI controller.
const MidiControl* plain_controller(const SurfaceControl& control) {
  const auto* midi = std::get_if<MidiControl>(&control);
  return midi != nullptr && midi->kind == Kind::cc ? midi : nullptr;
}
bool is_coarse(const SurfaceControl& control) {
  const auto* midi = plain_controller(control);
  return midi != nullptr && midi->number < kFineOffset;
}
bool is_fine(const SurfaceControl& control) {
  const auto* midi = plain_controller(control);
  return midi != nullptr && midi->number >= kFineOffset && midi->number < 2 * kFineOffset;
}
bool is_fine_of(const SurfaceControl& fine, const MidiControl& coarse) {
  const auto* midi = plain_controller(fine);
  return midi != nullptr && midi->channel == coarse.channel &&
         midi->number == coarse.number + kFineOffset;
}
SurfaceControl fine_pair_of(const SurfaceControl& coarse) {
  auto pair = std::get<MidiControl>(coarse);
  pair.kind = Kind::cc14;
  return pair;
}

double to_target(const Mapping& mapping, double control_at) {
  return mapping.from + (control_at * (mapping.to - mapping.from));
}
// The position of the control for a target at `position`.
double control_position_of(const Mapping& mapping, double position) {
  const double range = mapping.to - mapping.from;
  return range == 0 ? 0 : std::clamp((position - mapping.from) / range, 0.0, 1.0);
}

// The movement of an endless knob for one step. A switch or a choice moves to its next place.
double step_of(const Mapping& mapping, const Control& control) {
  const bool is_switch = std::holds_alternative<bool>(control.present);
  const double gaps = is_switch ? 1.0 : static_cast<double>(control.choices.size()) - 1;
  const double range = std::abs(mapping.to - mapping.from);
  const bool has_places = is_switch || (control.choices.size() > 1 && range > 0);
  return has_places ? std::min(1.0, 1 / (gaps * (range > 0 ? range : 1))) : kRelativeStep;
}

bool is_two_state(const Target& target, const Scene& scene) {
  const auto found = find_control(scene, target);
  return found && std::holds_alternative<bool>(found->present);
}

// Keys toggle. Targets with a range follow the velocity of a key, and are up while it is held. Only
// what has positions between can be met half way.
Mapping usual_mapping(std::string device, SurfaceControl control, Target target,
                      const Scene& scene) {
  const bool has_two_states = is_two_state(target, scene);
  Mapping mapping{std::move(device), std::move(control), std::move(target)};
  const bool is_key = is_button(mapping.control);
  mapping.response = is_key && has_two_states ? Response::toggle : Response::absolute;
  mapping.is_soft = !is_key && !has_two_states;
  return mapping;
}

}  // namespace

std::string_view to_string(Response response) {
  return kResponses.at(static_cast<std::size_t>(response));
}

bool is_possible(Response response, const SurfaceControl& control) {
  return response != Response::relative || can_be_endless(control);
}

Result<Response> parse_response(std::string_view text) {
  const auto found = std::ranges::find(kResponses, text);
  if (found != kResponses.end()) return static_cast<Response>(found - kResponses.begin());
  const std::vector<std::string> words(kResponses.begin(), kResponses.end());
  return fail("\"{}\" is none of {}{}", text.substr(0, 40), fmt::join(words, ", "),
              show::did_you_mean(text, words));
}

void MappingCore::set_mappings(std::vector<Mapping> mappings) {
  if (mappings.size() > kMappingsMax) mappings.resize(kMappingsMax);
  std::vector<MappedControl> mapped;
  for (auto& mapping : mappings) {
    const auto known = std::ranges::find(mapped_, mapping, &MappedControl::mapping);
    if (known != mapped_.end()) {
      mapped.push_back(*known);
    } else {
      mapped.push_back({std::move(mapping)});
    }
  }
  mapped_ = std::move(mapped);
}

std::vector<Mapping> MappingCore::mappings() const {
  std::vector<Mapping> mappings;
  for (const auto& each : mapped_)
    mappings.push_back(each.mapping);
  return mappings;
}

// Learning.

void MappingCore::consider(const SurfaceEvent& event, LocalTime now) {
  auto& learning = *learning_;
  if (!learning.candidate) {
    const bool can_be_released =
        is_button(event.control) || std::holds_alternative<OscControl>(event.control);
    if (event.value == 0 && can_be_released) return;
    learning.device = event.device;
    learning.candidate = event.control;
    learning.since = now;
    return;
  }
  if (event.device != learning.device) return;
  auto& candidate = *learning.candidate;
  if (is_coarse(candidate) && is_fine_of(event.control, std::get<MidiControl>(candidate))) {
    candidate = fine_pair_of(candidate);
  } else if (is_coarse(event.control) &&
             is_fine_of(candidate, std::get<MidiControl>(event.control))) {
    candidate = fine_pair_of(event.control);
  }
}

// A control of a device moves one target: the device's earlier mapping of this target is removed.
bool MappingCore::finish_learning(const Scene& scene, LocalTime now) {
  if (!learning_ || !learning_->candidate) return false;
  const bool may_be_half = is_coarse(*learning_->candidate) || is_fine(*learning_->candidate);
  if (may_be_half && now - learning_->since < kPairTime) return false;
  const auto learnt = *std::exchange(learning_, std::nullopt);
  std::erase_if(mapped_, [&](const MappedControl& each) {
    return each.mapping.device == learnt.device && each.mapping.target == learnt.target;
  });
  if (mapped_.size() >= kMappingsMax) mapped_.erase(mapped_.begin());
  mapped_.push_back({usual_mapping(learnt.device, *learnt.candidate, learnt.target, scene)});
  return true;
}

// Messages.

// The control's value after the movement. Empty if another control has moved, or only one half.
std::optional<int> MappingCore::value_for(MappedControl& each, const SurfaceEvent& event,
                                          LocalTime now) {
  const auto& control = each.mapping.control;
  const auto* pair = std::get_if<MidiControl>(&control);
  if (pair == nullptr || pair->kind != Kind::cc14)
    return event.control == control ? std::optional(event.value) : std::nullopt;
  if (event.control == SurfaceControl(MidiControl{Kind::cc, pair->channel, pair->number}))
    return each.pair.coarse(event.value, now);
  return is_fine_of(event.control, *pair) ? each.pair.fine(event.value, now) : std::nullopt;
}

bool MappingCore::is_moving(const MappedControl& each, LocalTime now) {
  return each.set && now - each.moved < kHoldTime;
}

double MappingCore::present_of(const MappedControl& each, double position, LocalTime now) {
  return is_moving(each, now) ? *each.set : position;
}

bool MappingCore::has_met(const MappedControl& each, double control_at, double present,
                          LocalTime now) {
  if (!each.mapping.is_soft || is_moving(each, now)) return true;
  // Nobody has moved the target since.
  if (each.set && std::abs(*each.set - present) < kSamePosition) return true;
  const double there = control_position_of(each.mapping, present);
  if (std::abs(control_at - there) <= kMeet) return true;
  // The control has passed the target.
  return each.control_at && (*each.control_at - there) * (control_at - there) <= 0;
}

// The new position of the target. Empty: no change.
std::optional<double> MappingCore::wanted(MappedControl& each, const Control& control, int value,
                                          LocalTime now) {
  const auto& mapping = each.mapping;
  const double present = present_of(each, position_of(control).value_or(0), now);
  const double control_at = static_cast<double>(value) / value_max(mapping.control);
  switch (is_possible(mapping.response, mapping.control) ? mapping.response : Response::absolute) {
    case Response::absolute: {
      const bool has = has_met(each, control_at, present, now);
      each.control_at = control_at;
      each.shown = value;
      return has ? std::optional(to_target(mapping, control_at)) : std::nullopt;
    }
    case Response::toggle:
      each.shown = std::nullopt;
      if (value == 0) return std::nullopt;
      return to_target(mapping, control_position_of(mapping, present) >= 0.5 ? 0 : 1);
    case Response::momentary:
      return to_target(mapping, value > 0 ? 1 : 0);
    case Response::relative: {
      const int steps = value < 64 ? value : value - 128;
      const double next = std::clamp(
          control_position_of(mapping, present) + (steps * step_of(mapping, control)), 0.0, 1.0);
      return to_target(mapping, next);
    }
  }
  return std::nullopt;
}

bool MappingCore::hears(const SurfaceEvent& event) const {
  return learning_ || std::ranges::any_of(mapped_, [&](const MappedControl& each) {
           return each.mapping.device == event.device && each.mapping.control == event.control;
         });
}

std::vector<Order> MappingCore::handle(const SurfaceEvent& event, const Scene& scene,
                                       LocalTime now) {
  std::vector<Order> orders;
  if (learning_) {
    consider(event, now);
    return orders;
  }
  for (auto& each : mapped_) {
    if (each.mapping.device != event.device) continue;
    const auto value = value_for(each, event, now);
    if (auto order = value ? move(each, *value, scene, now) : std::nullopt)
      orders.push_back(*std::move(order));
  }
  return orders;
}

std::vector<Order> MappingCore::take_due(const Scene& scene, LocalTime now) {
  std::vector<Order> orders;
  for (auto& each : mapped_) {
    const auto value = each.pair.due(now);
    if (auto order = value ? move(each, *value, scene, now) : std::nullopt)
      orders.push_back(*std::move(order));
  }
  return orders;
}

std::optional<Order> MappingCore::move(MappedControl& each, int value, const Scene& scene,
                                       LocalTime now) {
  const auto control = find_control(scene, each.mapping.target);
  if (!control || !position_of(*control)) return std::nullopt;
  each.touched = now;
  if (is_trigger(each.mapping.target))
    return value > 0 ? std::optional(order_to(*control, true)) : std::nullopt;
  const auto wish = wanted(each, *control, value, now);
  const auto accepted = wish ? value_at(*control, *wish) : fail("it stays");
  if (!accepted) return std::nullopt;
  each.set = position_of(*control, *accepted);
  each.moved = now;
  return order_to(*control, *accepted);
}

// Feedback.

std::vector<MidiOutput> MappingCore::feedback(const Scene& scene, LocalTime now) {
  std::vector<MidiOutput> outputs;
  for (auto& each : mapped_) {
    const auto* midi = std::get_if<MidiControl>(&each.mapping.control);
    if (midi == nullptr || now - each.touched < kHoldTime) continue;
    const auto control = find_control(scene, each.mapping.target);
    const auto position = control ? position_of(*control) : std::nullopt;
    if (!position) continue;
    const double there = control_position_of(each.mapping, *position);
    const int value = static_cast<int>(std::lround(there * value_max(midi->kind)));
    if (each.shown == value) continue;
    each.shown = value;
    for (auto& bytes : encode(*midi, value))
      outputs.push_back({each.mapping.device, std::move(bytes)});
  }
  return outputs;
}

void MappingCore::not_told(const MidiOutput& output) {
  for (auto& each : mapped_) {
    const auto* midi = std::get_if<MidiControl>(&each.mapping.control);
    if (midi == nullptr || each.mapping.device != output.device || !each.shown) continue;
    const auto messages = encode(*midi, *each.shown);
    if (std::ranges::find(messages, output.bytes) != messages.end()) each.shown.reset();
  }
}

void MappingCore::device_came(const std::string& device) {
  for (auto& each : mapped_) {
    if (each.mapping.device == device) each = MappedControl{std::move(each.mapping)};
  }
}

MappingCore::Distance MappingCore::distance(std::size_t index, const Scene& scene,
                                            LocalTime now) const {
  const auto& each = mapped_.at(index);
  const auto control = find_control(scene, each.mapping.target);
  const auto position = control ? position_of(*control) : std::nullopt;
  const bool is_followed =
      each.mapping.response == Response::absolute && each.control_at && position;
  if (!is_followed || has_met(each, *each.control_at, *position, now)) return Distance::none;
  return *each.control_at < control_position_of(each.mapping, *position) ? Distance::turn_up
                                                                         : Distance::turn_down;
}

}  // namespace submix::input
