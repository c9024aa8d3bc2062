// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/midi_core.hpp"

#include "common/show/nearest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace submix::input {
namespace {

using Kind = MidiControl::Kind;

constexpr int kFineOffset = 32;
// A control meets its target within one and a half of the coarsest steps.
constexpr double kMeet = 1.6 / 127;
constexpr double kSame = 1e-6;  // two positions this close come from one value
constexpr double kRelativeStep = 1.0 / 127;
constexpr std::array<std::string_view, 4> kResponses{"absolute", "toggle", "momentary", "relative"};

bool is_coarse(const MidiControl& control) {
  return control.kind == Kind::cc && control.number < kFineOffset;
}
bool is_fine_of(const MidiControl& fine, const MidiControl& coarse) {
  return fine.kind == Kind::cc && fine.channel == coarse.channel &&
         fine.number == coarse.number + kFineOffset;
}

bool is_fine(const MidiControl& control) {
  return control.kind == Kind::cc && control.number >= kFineOffset &&
         control.number < 2 * kFineOffset;
}

double to_target(const Mapping& mapping, double hand) {
  return mapping.from + (hand * (mapping.to - mapping.from));
}
// The position of the control for a target at `position`.
double to_hand(const Mapping& mapping, double position) {
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

// Keys toggle. Targets with a range follow the velocity of a key.
Response usual_response(const MidiControl& control, const Scene& scene, const Target& target) {
  const auto found = find_control(scene, target);
  const bool is_two_state = found && std::holds_alternative<bool>(found->present);
  return control.kind == Kind::note && is_two_state ? Response::toggle : Response::absolute;
}

}  // namespace

std::string_view to_string(Response response) {
  return kResponses.at(static_cast<std::size_t>(response));
}

bool is_possible(Response response, MidiControl::Kind kind) {
  return response != Response::relative || kind == Kind::cc;
}

Result<Response> parse_response(std::string_view text) {
  const auto found = std::ranges::find(kResponses, text);
  if (found != kResponses.end()) return static_cast<Response>(found - kResponses.begin());
  const std::vector<std::string> words(kResponses.begin(), kResponses.end());
  return fail("\"{}\" is none of {}{}", text.substr(0, 40), fmt::join(words, ", "),
              show::did_you_mean(text, words));
}

void MidiCore::set_mappings(std::vector<Mapping> mappings) {
  if (mappings.size() > kMappingsMax) mappings.resize(kMappingsMax);
  std::vector<Line> lines;
  for (auto& mapping : mappings) {
    const auto known = std::ranges::find(lines_, mapping, &Line::mapping);
    if (known != lines_.end()) {
      lines.push_back(*known);
    } else {
      lines.push_back({std::move(mapping)});
    }
  }
  lines_ = std::move(lines);
}

std::vector<Mapping> MidiCore::mappings() const {
  std::vector<Mapping> mappings;
  for (const auto& line : lines_)
    mappings.push_back(line.mapping);
  return mappings;
}

// Learning.

void MidiCore::consider(const std::string& device, const MidiEvent& event, LocalTime now) {
  auto& learning = *learning_;
  if (!learning.candidate) {
    if (event.control.kind == Kind::note && event.value == 0) return;  // a released key
    learning.device = device;
    learning.candidate = event.control;
    learning.since = now;
  } else if (device == learning.device && is_coarse(*learning.candidate) &&
             is_fine_of(event.control, *learning.candidate)) {
    learning.candidate->kind = Kind::cc14;
  } else if (device == learning.device && is_coarse(event.control) &&
             is_fine_of(*learning.candidate, event.control)) {
    learning.candidate = event.control;
    learning.candidate->kind = Kind::cc14;
  }
}

// A control of a device moves one target: the device's earlier mapping of this target is removed.
bool MidiCore::finish_learning(const Scene& scene, LocalTime now) {
  if (!learning_ || !learning_->candidate) return false;
  const bool may_be_half = is_coarse(*learning_->candidate) || is_fine(*learning_->candidate);
  if (may_be_half && now - learning_->since < kPairTime) return false;
  const auto learnt = *std::exchange(learning_, std::nullopt);
  std::erase_if(lines_, [&](const Line& line) {
    return line.mapping.device == learnt.device && line.mapping.target == learnt.target;
  });
  if (lines_.size() >= kMappingsMax) lines_.erase(lines_.begin());
  Mapping mapping{learnt.device, *learnt.candidate, learnt.target};
  mapping.response = usual_response(mapping.control, scene, mapping.target);
  mapping.is_soft = mapping.control.kind != Kind::note;
  lines_.push_back({std::move(mapping)});
  return true;
}

// Messages.

// The control's value after the message. Empty if the message belongs to another control, or is
// only one half.
std::optional<int> MidiCore::value_for(Line& line, const MidiEvent& event, LocalTime now) {
  const auto& control = line.mapping.control;
  if (control.kind != Kind::cc14)
    return event.control == control ? std::optional(event.value) : std::nullopt;
  if (event.control == MidiControl{Kind::cc, control.channel, control.number})
    return line.pair.coarse(event.value, now);
  return is_fine_of(event.control, control) ? line.pair.fine(event.value, now) : std::nullopt;
}

bool MidiCore::is_moving(const Line& line, LocalTime now) {
  return line.set && now - line.moved < kHoldTime;
}

double MidiCore::present_of(const Line& line, double position, LocalTime now) {
  return is_moving(line, now) ? *line.set : position;
}

bool MidiCore::has_met(const Line& line, double hand, double present, LocalTime now) {
  if (!line.mapping.is_soft || is_moving(line, now)) return true;
  // Nobody has moved the target since.
  if (line.set && std::abs(*line.set - present) < kSame) return true;
  const double there = to_hand(line.mapping, present);
  if (std::abs(hand - there) <= kMeet) return true;
  // The control has passed the target.
  return line.hand && (*line.hand - there) * (hand - there) <= 0;
}

// The new position of the target. Empty: no change.
std::optional<double> MidiCore::wanted(Line& line, const Control& control, int value,
                                       LocalTime now) {
  const auto& mapping = line.mapping;
  const double present = present_of(line, position_of(control).value_or(0), now);
  const double hand = static_cast<double>(value) / value_max(mapping.control.kind);
  switch (is_possible(mapping.response, mapping.control.kind) ? mapping.response
                                                              : Response::absolute) {
    case Response::absolute: {
      const bool has = has_met(line, hand, present, now);
      line.hand = hand;
      line.shown = value;
      return has ? std::optional(to_target(mapping, hand)) : std::nullopt;
    }
    case Response::toggle:
      line.shown = std::nullopt;
      if (value == 0) return std::nullopt;
      return to_target(mapping, to_hand(mapping, present) >= 0.5 ? 0 : 1);
    case Response::momentary:
      return to_target(mapping, value > 0 ? 1 : 0);
    case Response::relative: {
      const int steps = value < 64 ? value : value - 128;
      const double next =
          std::clamp(to_hand(mapping, present) + (steps * step_of(mapping, control)), 0.0, 1.0);
      return to_target(mapping, next);
    }
  }
  return std::nullopt;
}

std::vector<Order> MidiCore::handle(const std::string& device, std::span<const std::uint8_t> bytes,
                                    const Scene& scene, LocalTime now) {
  std::vector<Order> orders;
  const auto event = decode(bytes);
  if (!event) return orders;
  if (learning_) {
    consider(device, *event, now);
    return orders;
  }
  for (auto& line : lines_) {
    if (line.mapping.device != device) continue;
    const auto value = value_for(line, *event, now);
    if (auto order = value ? move(line, *value, scene, now) : std::nullopt)
      orders.push_back(*std::move(order));
  }
  return orders;
}

std::vector<Order> MidiCore::take_due(const Scene& scene, LocalTime now) {
  std::vector<Order> orders;
  for (auto& line : lines_) {
    const auto value = line.pair.due(now);
    if (auto order = value ? move(line, *value, scene, now) : std::nullopt)
      orders.push_back(*std::move(order));
  }
  return orders;
}

std::optional<Order> MidiCore::move(Line& line, int value, const Scene& scene, LocalTime now) {
  const auto control = find_control(scene, line.mapping.target);
  if (!control || !position_of(*control)) return std::nullopt;
  line.touched = now;
  if (is_trigger(line.mapping.target))
    return value > 0 ? std::optional(order_to(*control, true)) : std::nullopt;
  const auto wish = wanted(line, *control, value, now);
  const auto accepted = wish ? value_at(*control, *wish) : fail("it stays");
  if (!accepted) return std::nullopt;
  line.set = position_of(*control, *accepted);
  line.moved = now;
  return order_to(*control, *accepted);
}

// Feedback.

std::vector<MidiOutput> MidiCore::feedback(const Scene& scene, LocalTime now) {
  std::vector<MidiOutput> outputs;
  for (auto& line : lines_) {
    if (now - line.touched < kHoldTime) continue;
    const auto control = find_control(scene, line.mapping.target);
    const auto position = control ? position_of(*control) : std::nullopt;
    if (!position) continue;
    const double there = to_hand(line.mapping, *position);
    const int value = static_cast<int>(std::lround(there * value_max(line.mapping.control.kind)));
    if (line.shown == value) continue;
    line.shown = value;
    for (auto& bytes : encode(line.mapping.control, value))
      outputs.push_back({line.mapping.device, std::move(bytes)});
  }
  return outputs;
}

void MidiCore::not_told(const MidiOutput& output) {
  for (auto& line : lines_) {
    if (line.mapping.device != output.device || !line.shown) continue;
    const auto messages = encode(line.mapping.control, *line.shown);
    if (std::ranges::find(messages, output.bytes) != messages.end()) line.shown.reset();
  }
}

void MidiCore::device_came(const std::string& device) {
  for (auto& line : lines_) {
    if (line.mapping.device == device) line = Line{std::move(line.mapping)};
  }
}

MidiCore::Distance MidiCore::distance(std::size_t index, const Scene& scene, LocalTime now) const {
  const auto& line = lines_.at(index);
  const auto control = find_control(scene, line.mapping.target);
  const auto position = control ? position_of(*control) : std::nullopt;
  const bool is_followed = line.mapping.response == Response::absolute && line.hand && position;
  if (!is_followed || has_met(line, *line.hand, *position, now)) return Distance::none;
  return *line.hand < to_hand(line.mapping, *position) ? Distance::turn_up : Distance::turn_down;
}

}  // namespace submix::input
