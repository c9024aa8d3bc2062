// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/osc_space.hpp"

#include "common/base/shown_address.hpp"
#include "common/base/written_number.hpp"

#include <algorithm>
#include <array>

namespace submix::input {
namespace {

using Parts = std::vector<std::string_view>;
using show::ParameterValue;

constexpr std::string_view kSpent =
    "it asks for more than one datagram may; send fewer or narrower patterns in a datagram";

/// Collects the targets that match a pattern. If there are none, the error is the one of an exact
/// name.
struct Gather {
  const Scene& scene;
  OscBudget& budget;
  std::vector<OscMatch> found{};
  std::string error{};

  // False: the budget is too small. It is then empty from now on.
  bool spend(std::size_t looks) const {
    const bool is_enough = budget.looks >= looks;
    budget.looks -= is_enough ? looks : budget.looks;
    return is_enough;
  }
  [[nodiscard]] bool matches(std::string_view pattern, std::string_view name) const {
    return (!is_osc_pattern(pattern) || spend(1)) && osc_matches(pattern, name);
  }

  void add(const Target& target, bool is_in_units = false) {
    if (found.size() >= kOscMatchesMax || !spend(OscBudget::kLooksPerMatch)) return;
    auto control = find_control(scene, target);
    if (control) {
      found.push_back({*std::move(control), is_in_units});
    } else if (error.empty()) {
      error = control.error().message;
    }
  }

  template <typename Visit>
  void submixes(std::string_view pattern, Visit visit) {
    if (scene.cluster.show == nullptr) {
      error = "there is no show yet";
      return;
    }
    bool is_any = false;
    for (const auto& submix : scene.cluster.show->submixes) {
      if (!matches(pattern, submix.name)) continue;
      is_any = true;
      visit(submix);
    }
    if (!is_any) add(AssignTarget{std::string(pattern)});  // the lookup reports the error
  }
  template <typename Visit>
  void slots(std::string_view submix_pattern, std::string_view slot_pattern, Visit visit) {
    submixes(submix_pattern, [&](const show::Submix& submix) {
      bool is_any = false;
      for (const auto& slot : submix.slots) {
        if (!matches(slot_pattern, slot.name)) continue;
        is_any = true;
        visit(show::Port{submix.name, slot.name}, slot);
      }
      if (!is_any) add(BypassTarget{{submix.name, std::string(slot_pattern)}});
    });
  }
  void parameters(const Parts& parts) {
    const bool is_in_units = parts.size() == 5;
    slots(parts[1], parts[2], [&](const show::Port& port, const show::Slot& slot) {
      bool is_any = false;
      if (const auto* plugin = scene.cluster.find_plugin(slot.plugin)) {
        for (const auto& parameter : plugin->parameters) {
          if (!matches(parts[3], parameter.name)) continue;
          is_any = true;
          add(ParameterTarget{port, parameter.name}, is_in_units);
          if (!is_osc_pattern(parts[3]))
            break;  // the first of several names with the same written form
        }
      }
      if (!is_any) add(ParameterTarget{port, std::string(parts[3])});
    });
  }

  void knobs(std::string_view pattern) {
    bool is_any = false;
    if (scene.cluster.show != nullptr) {
      for (const auto& knob : scene.cluster.show->knobs) {
        if (!matches(pattern, knob.name)) continue;
        is_any = true;
        add(KnobTarget{knob.name});
      }
    }
    if (!is_any) add(KnobTarget{std::string(pattern)});
  }

  // A press means one thing, so a pattern means none of the presses.
  template <typename Trigger, typename Things>
  void press_one(std::string_view name, Things show::Show::* things) {
    if (const auto* show = scene.cluster.show.get()) {
      const auto named = std::ranges::find_if(
          show->*things, [&](const auto& thing) { return osc_name(thing.name) == name; });
      if (named != (show->*things).end()) return add(Trigger{named->name});
    }
    add(Trigger{std::string(name)});
  }

  [[nodiscard]] bool transport(std::string_view pattern) {
    bool is_any = false;
    for (const auto target :
         {TransportTarget::pause, TransportTarget::black, TransportTarget::freeze,
          TransportTarget::fullscreen, TransportTarget::record, TransportTarget::step}) {
      const auto name = to_string(target);
      if (is_trigger(target) ? pattern != name : !osc_matches(pattern, name)) continue;
      is_any = true;
      add(target);
    }
    return is_any;
  }

  /// False: no address has this form.
  [[nodiscard]] bool gather(const Parts& parts) {
    const auto size = parts.size();
    const auto first = size == 0 ? std::string_view() : parts[0];
    if (first == "submix" && (size == 4 || (size == 5 && parts[4] == "value"))) {
      parameters(parts);
    } else if (first == "bypass" && size == 3) {
      slots(parts[1], parts[2],
            [&](const show::Port& port, const show::Slot&) { add(BypassTarget{port}); });
    } else if (first == "assign" && size == 2) {
      submixes(parts[1], [&](const show::Submix& submix) { add(AssignTarget{submix.name}); });
    } else if (first == "transport" && size == 2) {
      return transport(parts[1]);
    } else if (first == "knob" && size == 2) {
      knobs(parts[1]);
    } else if (first == "go" && size == 1) {
      add(CueTarget{});
    } else if (first == "go" && size == 2) {
      press_one<CueTarget>(parts[1], &show::Show::cues);
    } else if (first == "preset" && size == 2) {
      press_one<PresetTarget>(parts[1], &show::Show::presets);
    } else if (first == "tap" && size == 1) {
      add(PaceTarget::tap);
    } else if (first == "tempo" && size == 1) {
      add(PaceTarget::tempo, true);
    } else if (first == "speed" && size == 1) {
      add(PaceTarget::speed, true);
    } else {
      return false;
    }
    return true;
  }
};

struct OscAddress {
  bool is_in_units;

  std::string operator()(const ParameterTarget& target) const {
    return fmt::format("/submix/{}/{}/{}{}", target.slot.submix, target.slot.slot,
                       osc_name(target.parameter), is_in_units ? "/value" : "");
  }
  std::string operator()(const BypassTarget& target) const {
    return fmt::format("/bypass/{}/{}", target.slot.submix, target.slot.slot);
  }
  std::string operator()(const AssignTarget& target) const { return "/assign/" + target.submix; }
  std::string operator()(TransportTarget target) const { return "/transport/" + to_string(target); }
  std::string operator()(const KnobTarget& target) const {
    return "/knob/" + osc_name(target.knob);
  }
  std::string operator()(const CueTarget& target) const {
    return target.cue.empty() ? "/go" : "/go/" + osc_name(target.cue);
  }
  std::string operator()(const PresetTarget& target) const {
    return "/preset/" + osc_name(target.preset);
  }
  std::string operator()(PaceTarget target) const { return "/" + to_string(target); }
};

struct AsValue {
  ParameterValue operator()(bool on) const { return on; }
  ParameterValue operator()(std::int32_t number) const { return static_cast<double>(number); }
  ParameterValue operator()(float number) const { return as_written(number); }
  ParameterValue operator()(const std::string& text) const { return text; }
};

Result<ParameterValue> numbers_of(const std::vector<OscArgument>& arguments) {
  std::vector<double> numbers;
  for (const auto& argument : arguments) {
    const auto value = std::visit(AsValue{}, argument);
    const auto* number = std::get_if<double>(&value);
    if (number == nullptr) return fail("several arguments must all be numbers");
    numbers.push_back(*number);
  }
  return numbers;
}

constexpr std::array<std::string_view, 13> kOwnFirstParts{
    "submix", "bypass", "assign", "transport", "knob",      "go",         "preset",
    "tap",    "tempo",  "speed",  "get",       "subscribe", "unsubscribe"};

}  // namespace

bool is_own_address(std::string_view address) {
  const auto parts = osc_parts(address);
  return !parts.empty() && std::ranges::find(kOwnFirstParts, parts[0]) != kOwnFirstParts.end();
}

Result<std::vector<OscMatch>> find_matches(const Scene& scene, std::string_view address,
                                           OscBudget& budget) {
  if (budget.looks == 0) return fail("{}", kSpent);
  Gather gather{scene, budget};
  if (!gather.gather(osc_parts(address))) {
    return fail(
        "no address has this form; there are /submix/SUBMIX/SLOT/PARAMETER[/value], "
        "/bypass/SUBMIX/SLOT, /assign/SUBMIX, /transport/pause, /transport/step, "
        "/transport/black, /transport/freeze, /transport/fullscreen, /transport/record, /tempo, "
        "/speed, /tap, /knob/KNOB, /preset/PRESET, /go, /go/CUE, /get, /subscribe, /unsubscribe");
  }
  if (budget.looks == 0) return fail("{}", kSpent);
  if (gather.found.empty())
    return fail("{}", gather.error.empty() ? std::string("nothing matches it") : gather.error);
  return std::move(gather.found);
}

std::string osc_address(const OscMatch& match) {
  return std::visit(OscAddress{match.is_in_units}, match.control.target);
}

OscMessage present_message(const OscMatch& match) {
  OscMessage message{osc_address(match)};
  const auto& present = match.control.present;
  const auto position = position_of(match.control);
  if (const auto* on = std::get_if<bool>(&present)) {
    message.arguments.emplace_back(*on);
  } else if (const auto* text = std::get_if<std::string>(&present)) {
    message.arguments.emplace_back(shown_address(*text));  // everybody may listen
  } else if (const auto* number = std::get_if<double>(&present)) {
    message.arguments.emplace_back(
        static_cast<float>(match.is_in_units ? *number : position.value_or(0)));
  } else {
    for (const double part : std::get<std::vector<double>>(present))
      message.arguments.emplace_back(static_cast<float>(part));
  }
  return message;
}

Result<ParameterValue> wanted_value(const OscMatch& match,
                                    const std::vector<OscArgument>& arguments) {
  if (match.control.names_file)
    return fail(
        "it names a file or an address; OSC has no key and cannot set these; use the window or "
        "\"submix set\"");
  if (arguments.size() > 1) {
    const auto numbers = numbers_of(arguments);
    return numbers ? accepted(match.control, *numbers) : numbers;
  }
  const auto value = std::visit(AsValue{}, arguments.at(0));
  const auto* number = std::get_if<double>(&value);
  // For a choice an integer is an index, and a float a position, as a fader sends it.
  const bool is_index = std::holds_alternative<std::string>(match.control.present) &&
                        std::holds_alternative<std::int32_t>(arguments[0]);
  if (number == nullptr || match.is_in_units || is_index) return accepted(match.control, value);
  if (std::holds_alternative<bool>(match.control.present)) return accepted(match.control, value);
  auto wanted = value_at(match.control, *number);
  auto* kept = wanted ? std::get_if<double>(&*wanted) : nullptr;
  const auto [least, most] = std::minmax(match.control.minimum, match.control.maximum);
  if (kept != nullptr) *kept = std::clamp(as_written(*kept), least, most);
  return wanted;
}

}  // namespace submix::input
