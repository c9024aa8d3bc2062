// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/control.hpp"

#include "common/show/lookup.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/outputs.hpp"
#include "controller/model/view/output_views.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <utility>

namespace submix::input {
namespace {

using Numbers = std::vector<double>;
using show::ParameterValue;

template <typename Items>
std::string did_you_mean(std::string_view word, const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items)
    names.push_back(item.name);
  return show::did_you_mean(word, names);
}

bool mentions(std::string_view text, std::string_view word) {
  const auto is_same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return !std::ranges::search(text, word, is_same).empty();
}

// Plugin descriptions have no flag for files, or for addresses that pictures are sent to. Calling a
// text one of these by mistake is safer than missing one.
bool names_file(const cluster::ParameterSummary& parameter) {
  if (!std::holds_alternative<std::string>(parameter.initial) || !parameter.choices.empty())
    return false;
  constexpr std::array<std::string_view, 5> kWords{"file", "folder", "path", "classifier",
                                                   "address"};
  return std::ranges::any_of(kWords, [&](std::string_view word) {
    return mentions(parameter.name, word) || mentions(parameter.explanation, word);
  });
}

/// Looks up a target; each kind in its own part of the show.
struct Find {
  const Scene& scene;

  Result<const show::Show*> present_show() const {
    if (scene.cluster.show == nullptr) return fail("there is no show yet");
    return scene.cluster.show.get();
  }
  Result<const show::Submix*> submix(const std::string& name) const {
    const auto present = present_show();
    SUBMIX_TRY(present);
    return show::submix_of(**present, name);
  }
  Result<const show::Slot*> slot(const show::Port& port) const {
    const auto present = present_show();
    SUBMIX_TRY(present);
    return show::slot_of(**present, port);
  }

  [[nodiscard]] bool is_on(TransportTarget target) const {
    const auto& transport = scene.cluster.transport;
    switch (target) {
      case TransportTarget::pause:
        return transport.is_paused;
      case TransportTarget::black:
        return transport.is_black;
      case TransportTarget::freeze:
        return transport.is_frozen;
      case TransportTarget::fullscreen:
        return std::ranges::any_of(model::outputs_of(scene.cluster),
                                   &model::OutputView::is_switched_to_full);
      case TransportTarget::record:
        return model::is_recording(*scene.cluster.show);
      case TransportTarget::step:
        break;
    }
    return false;
  }

  Result<Control> operator()(const ParameterTarget& target) const {
    const auto found = slot(target.slot);
    SUBMIX_TRY(found);
    const auto* plugin = scene.cluster.find_plugin((*found)->plugin);
    if (plugin == nullptr)
      return fail("nothing is known of plugin \"{}\" yet: no node that runs it has described it",
                  (*found)->plugin);
    const auto summary =
        std::ranges::find(plugin->parameters, target.parameter, &cluster::ParameterSummary::name);
    if (summary == plugin->parameters.end())
      return fail("plugin \"{}\" has no parameter \"{}\"{}", plugin->id, target.parameter,
                  did_you_mean(target.parameter, plugin->parameters));
    const auto stated = (*found)->parameters.find(target.parameter);
    const bool is_stated =
        stated != (*found)->parameters.end() && stated->second.index() == summary->initial.index();
    Control control{target,           is_stated ? stated->second : summary->initial,
                    summary->minimum, summary->maximum,
                    summary->choices, names_file(*summary)};
    const auto* numbers = std::get_if<Numbers>(&control.present);
    if (target.part && (numbers == nullptr || *target.part >= numbers->size()))
      return fail("\"{}\" has {} numbers, so there is no [{}]", target.parameter,
                  numbers == nullptr ? 0 : numbers->size(), *target.part);
    if (numbers != nullptr) std::tie(control.minimum, control.maximum) = std::pair(0.0, 1.0);
    return control;
  }
  Result<Control> operator()(const BypassTarget& target) const {
    const auto found = slot(target.slot);
    SUBMIX_TRY(found);
    return Control{target, (*found)->is_bypassed};
  }
  Result<Control> operator()(const AssignTarget& target) const {
    const auto found = submix(target.submix);
    SUBMIX_TRY(found);
    Control control{target, (*found)->node};
    control.choices.emplace_back();
    for (const auto& node : scene.cluster.nodes)
      control.choices.push_back(node.name);
    return control;
  }
  Result<Control> operator()(TransportTarget target) const {
    if (target == TransportTarget::fullscreen || target == TransportTarget::record)
      SUBMIX_TRY(present_show());
    return Control{target, is_on(target)};
  }
  Result<Control> operator()(const KnobTarget& target) const {
    const auto present = present_show();
    SUBMIX_TRY(present);
    const auto& knobs = (*present)->knobs;
    const auto found = std::ranges::find(knobs, target.knob, &show::Knob::name);
    if (found == knobs.end())
      return fail("the show has no knob \"{}\"{}", target.knob, did_you_mean(target.knob, knobs));
    return Control{target, found->value};
  }
  Result<Control> operator()(const CueTarget& target) const {
    const auto present = present_show();
    SUBMIX_TRY(present);
    const auto& cues = (*present)->cues;
    const bool is_there =
        target.cue.empty() || std::ranges::find(cues, target.cue, &show::Cue::name) != cues.end();
    if (!is_there)
      return fail("the show has no cue \"{}\"{}", target.cue, did_you_mean(target.cue, cues));
    return Control{target, false};
  }
  Result<Control> operator()(const PresetTarget& target) const {
    const auto present = present_show();
    SUBMIX_TRY(present);
    const auto& presets = (*present)->presets;
    if (std::ranges::find(presets, target.preset, &show::Preset::name) == presets.end())
      return fail("the show has no preset \"{}\"{}", target.preset,
                  did_you_mean(target.preset, presets));
    return Control{target, false};
  }
  Result<Control> operator()(PaceTarget target) const {
    const auto present = present_show();
    SUBMIX_TRY(present);
    if (target == PaceTarget::tap) return Control{target, false};
    const auto& tempo = (*present)->tempo;
    if (target == PaceTarget::speed)
      return Control{target, tempo.master_speed, 0, show::kMasterSpeedMax};
    return Control{target, tempo.beats_per_minute, show::kBeatsPerMinuteMin,
                   show::kBeatsPerMinuteMax};
  }
};

struct Command {
  const ParameterValue& value;

  Order operator()(const ParameterTarget& target) const {
    if (target.part)
      return SetPart{target.slot, target.parameter, *target.part,
                     std::get<Numbers>(value).at(*target.part)};
    return session::EditShow{model::SetParameter{target.slot, target.parameter, value}, 0, false};
  }
  Order operator()(const BypassTarget& target) const {
    return session::EditShow{model::SetBypass{target.slot, std::get<bool>(value)}, 0, false};
  }
  Order operator()(const AssignTarget& target) const {
    return session::EditShow{model::AssignSubmix{target.submix, std::get<std::string>(value)}, 0,
                             false};
  }
  Order operator()(TransportTarget target) const {
    const bool is_on = std::get<bool>(value);
    switch (target) {
      case TransportTarget::pause:
        return session::SetPaused{is_on};
      case TransportTarget::black:
        return session::SetBlack{is_on};
      case TransportTarget::freeze:
        return session::SetFrozen{is_on};
      case TransportTarget::fullscreen:
        return SetFullScreen{is_on};
      case TransportTarget::record:
        return SetRecording{is_on};
      case TransportTarget::step:
        break;
    }
    return session::Step{};
  }
  Order operator()(const KnobTarget& target) const {
    return TurnKnob{target.knob, std::get<double>(value)};
  }
  Order operator()(const CueTarget& target) const { return Go{target.cue}; }
  Order operator()(const PresetTarget& target) const { return ApplyPreset{target.preset}; }
  Order operator()(PaceTarget target) const {
    if (target == PaceTarget::tap) return Tap{};
    const auto number = std::get<double>(value);
    return target == PaceTarget::tempo ? SetPace{number, {}} : SetPace{{}, number};
  }
};

double share(double number, double minimum, double maximum) {
  const double range = maximum - minimum;
  return range > 0 ? std::clamp((number - minimum) / range, 0.0, 1.0) : 0.0;
}

std::optional<std::size_t> part_of(const Control& control) {
  const auto* parameter = std::get_if<ParameterTarget>(&control.target);
  return parameter == nullptr ? std::nullopt : parameter->part;
}

Result<ParameterValue> accepted_number(const Control& control, double number) {
  if (!std::isfinite(number)) return fail("{} is not a number within any range", number);
  const auto clamped = std::max(control.minimum, std::min(number, control.maximum));
  if (std::holds_alternative<bool>(control.present)) return number > 0.5;
  if (std::holds_alternative<double>(control.present)) return clamped;
  if (const auto part = part_of(control)) {
    auto numbers = std::get<Numbers>(control.present);
    numbers.at(*part) = clamped;
    return numbers;
  }
  if (std::holds_alternative<Numbers>(control.present))
    return fail("it takes several numbers in a row");
  if (control.choices.empty() || std::holds_alternative<AssignTarget>(control.target))
    return fail("it takes a text, not a number");
  const auto last = static_cast<double>(control.choices.size() - 1);
  return control.choices[static_cast<std::size_t>(std::clamp(std::round(number), 0.0, last))];
}

Result<ParameterValue> accepted_text(const Control& control, const std::string& text) {
  if (!std::holds_alternative<std::string>(control.present)) return fail("it takes no text");
  if (text.size() > show::kTextBytesMax || !show::is_plain_text(text))
    return fail("the text is not plain UTF-8 of at most {} bytes", show::kTextBytesMax);
  if (control.choices.empty() || std::ranges::find(control.choices, text) != control.choices.end())
    return text;
  return fail("\"{}\" is not one of {}{}", text.substr(0, 60), fmt::join(control.choices, ", "),
              show::did_you_mean(text, control.choices));
}

Result<ParameterValue> accepted_numbers(const Control& control, const Numbers& wanted) {
  const auto* present = std::get_if<Numbers>(&control.present);
  if (present == nullptr || part_of(control) || present->size() != wanted.size())
    return fail("it takes {} in a row, not {} numbers", present == nullptr ? 1 : present->size(),
                wanted.size());
  Numbers numbers;
  for (const double number : wanted) {
    if (!std::isfinite(number)) return fail("{} is not a number within any range", number);
    numbers.push_back(std::clamp(number, 0.0, 1.0));
  }
  return numbers;
}

}  // namespace

bool is_action(const Order& order) {
  return std::visit(
      []<typename Kind>(const Kind&) { return std::is_constructible_v<session::Action, Kind>; },
      order);
}

Result<Control> find_control(const Scene& scene, const Target& target) {
  return std::visit(Find{scene}, target);
}

std::optional<double> position_of(const Control& control) {
  return position_of(control, control.present);
}

std::optional<double> position_of(const Control& control, const ParameterValue& value) {
  if (const auto* on = std::get_if<bool>(&value)) return *on ? 1.0 : 0.0;
  if (const auto* number = std::get_if<double>(&value))
    return share(*number, control.minimum, control.maximum);
  if (const auto* numbers = std::get_if<Numbers>(&value)) {
    const auto part = part_of(control);
    return part && *part < numbers->size() ? std::optional(std::clamp((*numbers)[*part], 0.0, 1.0))
                                           : std::nullopt;
  }
  const bool is_node = std::holds_alternative<AssignTarget>(control.target);
  if (is_node || control.choices.empty()) return std::nullopt;
  const auto place = std::ranges::find(control.choices, std::get<std::string>(value));
  return share(static_cast<double>(place - control.choices.begin()), 0,
               static_cast<double>(control.choices.size() - 1));
}

Result<ParameterValue> value_at(const Control& control, double position) {
  if (!std::isfinite(position)) return fail("{} is no position from 0 to 1", position);
  if (!position_of(control))
    return fail("{} has no positions from 0 to 1", to_string(control.target));
  const double within = std::clamp(position, 0.0, 1.0);
  if (std::holds_alternative<std::string>(control.present))
    return accepted(control, within * static_cast<double>(control.choices.size() - 1));
  if (std::holds_alternative<bool>(control.present)) return accepted(control, within);
  return accepted(control, control.minimum + (within * (control.maximum - control.minimum)));
}

Result<ParameterValue> accepted(const Control& control, const ParameterValue& wanted) {
  if (const auto* on = std::get_if<bool>(&wanted)) {
    if (std::holds_alternative<bool>(control.present)) return *on;
    return accepted_number(control, *on ? control.maximum : control.minimum);
  }
  if (const auto* number = std::get_if<double>(&wanted)) return accepted_number(control, *number);
  if (const auto* text = std::get_if<std::string>(&wanted)) return accepted_text(control, *text);
  return accepted_numbers(control, std::get<Numbers>(wanted));
}

Order order_to(const Control& control, const ParameterValue& value) {
  return std::visit(Command{value}, control.target);
}

}  // namespace submix::input
