// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/target.hpp"

#include "common/show/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace submix::input {
namespace {

constexpr std::string_view kBypass = "bypass ";
constexpr std::string_view kAssign = "assign ";
constexpr std::string_view kKnob = "knob ";
constexpr std::string_view kGo = "go";
constexpr std::string_view kPreset = "preset ";
constexpr std::array<std::string_view, 6> kTransport{"pause",  "step",       "black",
                                                     "freeze", "fullscreen", "record"};
constexpr std::array<std::string_view, 3> kPace{"tempo", "speed", "tap"};
constexpr std::size_t kTextBytesMax = 512;

struct Text {
  std::string operator()(const ParameterTarget& target) const {
    const auto part = target.part ? fmt::format("[{}]", *target.part) : std::string();
    return fmt::format("{}.{}{}", show::to_string(target.slot), target.parameter, part);
  }
  std::string operator()(const BypassTarget& target) const {
    return std::string(kBypass) + show::to_string(target.slot);
  }
  std::string operator()(const AssignTarget& target) const {
    return std::string(kAssign) + target.submix;
  }
  std::string operator()(TransportTarget target) const {
    return std::string(kTransport.at(static_cast<std::size_t>(target)));
  }
  std::string operator()(const KnobTarget& target) const {
    return std::string(kKnob) + target.knob;
  }
  std::string operator()(const CueTarget& target) const {
    return std::string(kGo) + (target.cue.empty() ? "" : " ") + target.cue;
  }
  std::string operator()(const PresetTarget& target) const {
    return std::string(kPreset) + target.preset;
  }
  std::string operator()(PaceTarget target) const {
    return std::string(kPace.at(static_cast<std::size_t>(target)));
  }
};

// "color[2]" becomes "color" and 2.
std::optional<std::size_t> cut_part(std::string& parameter) {
  const auto bracket = parameter.rfind('[');
  if (bracket == std::string::npos || bracket == 0 || !parameter.ends_with(']'))
    return std::nullopt;
  std::size_t part = 0;
  const char* end = parameter.data() + parameter.size() - 1;
  const auto [stop, error] = std::from_chars(parameter.data() + bracket + 1, end, part);
  if (error != std::errc() || stop != end) return std::nullopt;
  parameter.resize(bracket);
  return part;
}

Result<Target> parse_parameter(std::string_view text) {
  auto parsed = show::parse_target(text);
  if (!parsed && std::ranges::count(text, '.') < 2)
    return fail(
        "\"{}\" is nothing that can be controlled; write submix.slot.parameter, \"bypass "
        "submix.slot\", pause, step, black, freeze, fullscreen, record, tempo, speed, tap, \"knob "
        "NAME\", \"preset NAME\", go or \"go CUE\"",
        text.substr(0, 60));
  SUBMIX_TRY(parsed);
  ParameterTarget target{std::move(parsed->first), std::move(parsed->second)};
  target.part = cut_part(target.parameter);
  return target;
}

}  // namespace

bool is_trigger(const Target& target) {
  return target == Target(TransportTarget::step) || target == Target(PaceTarget::tap) ||
         std::holds_alternative<CueTarget>(target) || std::holds_alternative<PresetTarget>(target);
}

std::string to_string(const Target& target) {
  return std::visit(Text{}, target);
}

std::string words_of(const Target& target) {
  if (target == Target(TransportTarget::black)) return "BLACK-OUT";
  if (target == Target(TransportTarget::freeze)) return "FREEZE";
  if (target == Target(TransportTarget::fullscreen)) return "FULL SCREEN";
  if (target == Target(TransportTarget::record)) return "REC";
  if (target == Target(CueTarget{})) return "GO";
  return to_string(target);
}

Result<Target> parse_target(std::string_view text) {
  if (text.size() > kTextBytesMax)
    return fail("a target of {} bytes is longer than {}", text.size(), kTextBytesMax);
  if (const auto found = std::ranges::find(kTransport, text); found != kTransport.end())
    return static_cast<TransportTarget>(found - kTransport.begin());
  if (const auto found = std::ranges::find(kPace, text); found != kPace.end())
    return static_cast<PaceTarget>(found - kPace.begin());
  if (text.starts_with(kKnob)) return KnobTarget{std::string(text.substr(kKnob.size()))};
  if (text.starts_with(kPreset)) return PresetTarget{std::string(text.substr(kPreset.size()))};
  if (text == kGo) return CueTarget{};
  if (text.starts_with("go ")) return CueTarget{std::string(text.substr(kGo.size() + 1))};
  if (text.starts_with(kBypass)) {
    const auto slot = show::parse_port(text.substr(kBypass.size()));
    SUBMIX_TRY(slot);
    return BypassTarget{*slot};
  }
  if (text.starts_with(kAssign)) return AssignTarget{std::string(text.substr(kAssign.size()))};
  return parse_parameter(text);
}

}  // namespace submix::input
