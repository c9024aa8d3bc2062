// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/show_edit.hpp"

#include "common/show/announce.hpp"
#include "common/show/edit.hpp"
#include "common/show/lookup.hpp"
#include "common/show/text.hpp"
#include "controller/model/view/oscillation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace submix::model {
namespace {

std::string text_of(const show::ParameterValue& value) {
  struct Print {
    std::string operator()(bool on) const { return on ? "on" : "off"; }
    std::string operator()(double number) const {
      return std::abs(number) < 1000 ? fmt::format("{:.3g}", number)
                                     : fmt::format("{:.0f}", number);
    }
    std::string operator()(const std::string& text) const { return fmt::format("\"{}\"", text); }
    std::string operator()(const std::vector<double>& numbers) const {
      std::string text;
      for (const double number : numbers)
        text += fmt::format("{}{:.2g}", text.empty() ? "" : ", ", number);
      return fmt::format("[{}]", text);
    }
  };
  return std::visit(Print{}, value);
}

// "sine, 0.5 Hz, 0.2 to 0.8", "off".
std::string text_of(const show::Oscillator& oscillator) {
  if (!oscillator.is_on) return "off";
  return fmt::format("{}, {}, {:.3g} to {:.3g}", to_string(oscillator.waveform),
                     period_text(oscillator), oscillator.from, oscillator.to);
}

struct TitleOf {
  std::string operator()(const ReplaceShow& edit) const { return edit.title; }
  std::string operator()(const AssignSubmix& edit) const {
    if (edit.node.empty()) return fmt::format("run {} nowhere", edit.submix);
    return fmt::format("run {} on {}", edit.submix, edit.node);
  }
  std::string operator()(const SetParameter& edit) const {
    const auto value = edit.value ? text_of(*edit.value) : std::string("reset");
    return fmt::format("{}.{}: {} {}", edit.slot.submix, edit.slot.slot, edit.name, value);
  }
  std::string operator()(const SetOscillator& edit) const {
    const auto settings = edit.oscillator ? text_of(*edit.oscillator) : std::string("none");
    return fmt::format("{}.{}: oscillator of {}: {}", edit.slot.submix, edit.slot.slot, edit.name,
                       settings);
  }
  std::string operator()(const SetTempo& edit) const {
    if (edit.sets_beat) return "set the beat";
    return fmt::format("tempo {:.4g}, master speed {:.3g}", edit.tempo.beats_per_minute,
                       edit.tempo.master_speed);
  }
  std::string operator()(const SetBypass& edit) const {
    return fmt::format("{}.{}: bypass {}", edit.slot.submix, edit.slot.slot,
                       edit.is_bypassed ? "on" : "off");
  }
  std::string operator()(const SetHelpers& edit) const {
    return fmt::format("{}.{}: {} {}", edit.slot.submix, edit.slot.slot, edit.helpers,
                       edit.helpers == 1 ? "helper" : "helpers");
  }
  std::string operator()(const SetLinks& edit) const {
    return fmt::format("{}: {} {}", edit.stream, edit.count, edit.count == 1 ? "link" : "links");
  }
  std::string operator()(const SetPolicy& edit) const {
    const auto budget = edit.pause_budget
                            ? fmt::format(", pause budget {} ms", edit.pause_budget->count())
                            : std::string();
    return fmt::format("{}: policy {}{}", edit.stream, show::to_string(edit.policy), budget);
  }
  std::string operator()(const SetSlots& edit) const { return edit.submix + ": slots"; }
  std::string operator()(const SetSubmixes& edit) const { return "submixes" + names(edit.parts); }
  std::string operator()(const SetStreams& edit) const { return "streams" + names(edit.parts); }
  std::string operator()(const SetNodes& edit) const { return "nodes" + names(edit.parts); }
  std::string operator()(const SetFade& edit) const {
    return fmt::format("{}.{}: fade of {}", edit.slot.submix, edit.slot.slot, edit.name);
  }
  std::string operator()(const SetKnobValue& edit) const {
    return fmt::format("knob {}: {:.3g}", edit.knob, edit.value);
  }
  std::string operator()(const SetKnobs& edit) const { return item_title("knob", edit.parts); }
  std::string operator()(const SetPresets& edit) const { return item_title("preset", edit.parts); }
  std::string operator()(const SetCues& edit) const { return item_title("cue", edit.parts); }
  std::string operator()(const SetCueOrder&) const { return "order of the cues"; }
  std::string operator()(const SetNextCue& edit) const {
    return edit.cue.empty() ? std::string("next cue: the first")
                            : fmt::format("next cue: {}", edit.cue);
  }
  std::string operator()(const SetFollowing& edit) const {
    return edit.at ? "follow-on" : "stop the follow-on";
  }
  std::string operator()(const SetFramesInFlight& edit) const {
    return fmt::format("{}: frames in flight {}", edit.submix, edit.frames);
  }
  std::string operator()(const SetShowName& edit) const {
    return fmt::format("show name {}", edit.name);
  }
  std::string operator()(const SetShowSize& edit) const {
    return fmt::format("show size {}x{}", edit.size.width, edit.size.height);
  }
  std::string operator()(const SetShowRate& edit) const {
    return fmt::format("show rate {}", show::to_string(edit.rate));
  }
  std::string operator()(const SetShowDelay& edit) const {
    return fmt::format("show delay {}", show::delay_text(edit.frames));
  }
  std::string operator()(const SetSound& edit) const {
    return edit.sound.node.empty()
               ? std::string("listen to no sound")
               : fmt::format("listen on {}{}{}", edit.sound.node,
                             edit.sound.device.empty() ? "" : " to ", edit.sound.device);
  }
  std::string operator()(const SetOutputChain& edit) const {
    return edit.submix.empty() ? std::string("no output chain")
                               : fmt::format("output chain {}", edit.submix);
  }
  std::string operator()(const EditGroup& edit) const { return edit.title; }

  // "delete knob energy", "knob energy".
  template <typename Parts>
  static std::string item_title(std::string_view kind, const Parts& parts) {
    const bool is_deleted = parts.size() == 1 && !parts.front().item;
    return fmt::format("{}{}{}", is_deleted ? "delete " : "", kind, names(parts));
  }

  template <typename Parts>
  static std::string names(const Parts& parts) {
    std::string text;
    for (const auto& part : parts)
      text += (text.empty() ? " " : ", ") + part.name;
    return text;
  }
};

// The path of the thing that an edit changes.
struct TargetOf {
  using Path = std::vector<std::string_view>;

  Path operator()(const ReplaceShow&) const { return {"show"}; }
  Path operator()(const AssignSubmix& edit) const { return {"assign", edit.submix}; }
  Path operator()(const SetParameter& edit) const {
    return {"set", edit.slot.submix, edit.slot.slot, edit.name};
  }
  Path operator()(const SetOscillator& edit) const {
    return {"oscillate", edit.slot.submix, edit.slot.slot, edit.name};
  }
  Path operator()(const SetTempo&) const { return {"tempo"}; }
  Path operator()(const SetBypass& edit) const {
    return {"bypass", edit.slot.submix, edit.slot.slot};
  }
  Path operator()(const SetHelpers& edit) const {
    return {"helpers", edit.slot.submix, edit.slot.slot};
  }
  Path operator()(const SetLinks& edit) const { return {"links", edit.stream}; }
  Path operator()(const SetPolicy& edit) const { return {"policy", edit.stream}; }
  Path operator()(const SetSlots& edit) const {
    return with_names({"slots", edit.submix}, edit.parts);
  }
  Path operator()(const SetSubmixes& edit) const { return with_names({"submixes"}, edit.parts); }
  Path operator()(const SetStreams& edit) const { return with_names({"streams"}, edit.parts); }
  Path operator()(const SetNodes& edit) const { return with_names({"nodes"}, edit.parts); }
  Path operator()(const SetFade& edit) const {
    return {"fade", edit.slot.submix, edit.slot.slot, edit.name};
  }
  Path operator()(const SetKnobValue& edit) const { return {"turn", edit.knob}; }
  Path operator()(const SetKnobs& edit) const { return with_names({"knobs"}, edit.parts); }
  Path operator()(const SetPresets& edit) const { return with_names({"presets"}, edit.parts); }
  Path operator()(const SetCues& edit) const { return with_names({"cues"}, edit.parts); }
  Path operator()(const SetCueOrder&) const { return {"cue order"}; }
  Path operator()(const SetNextCue&) const { return {"next cue"}; }
  Path operator()(const SetFollowing&) const { return {"following"}; }
  Path operator()(const SetFramesInFlight& edit) const { return {"frames in flight", edit.submix}; }
  Path operator()(const SetShowName&) const { return {"show name"}; }
  Path operator()(const SetShowSize&) const { return {"show size"}; }
  Path operator()(const SetShowRate&) const { return {"show rate"}; }
  Path operator()(const SetShowDelay&) const { return {"show delay"}; }
  Path operator()(const SetSound&) const { return {"sound"}; }
  Path operator()(const SetOutputChain&) const { return {"output chain"}; }
  Path operator()(const EditGroup& group) const {
    Path path{"group"};
    for (const auto& edit : group.edits) {
      const auto inner = std::visit(TargetOf{}, edit);
      path.insert(path.end(), inner.begin(), inner.end());
      path.push_back(".");
    }
    return path;
  }

  template <typename Parts>
  static Path with_names(Path path, const Parts& parts) {
    for (const auto& part : parts)
      path.push_back(part.name);
    return path;
  }
};

tl::unexpected<Error> no_stream(std::string_view name) {
  return fail("the show has no stream \"{}\" any more", name);
}
tl::unexpected<Error> no_slot(const show::Port& port) {
  return fail("the show has no slot \"{}.{}\" any more", port.submix, port.slot);
}

tl::unexpected<Error> no_knob(std::string_view name) {
  return fail("the show has no knob \"{}\" any more", name);
}

struct PresentOf {
  const show::Show& show;

  Result<Edit> operator()(const ReplaceShow& edit) const {
    return ReplaceShow{std::make_shared<const show::Show>(show), edit.title};
  }
  Result<Edit> operator()(const AssignSubmix& edit) const {
    const auto* submix = show.find_submix(edit.submix);
    if (submix == nullptr) return no_submix(edit.submix);
    return AssignSubmix{edit.submix, submix->node};
  }
  Result<Edit> operator()(const SetParameter& edit) const {
    const auto* slot = show.find_slot(edit.slot);
    if (slot == nullptr) return no_slot(edit.slot);
    const auto found = slot->parameters.find(edit.name);
    SetParameter now{edit.slot, edit.name, std::nullopt};
    if (found != slot->parameters.end()) now.value = found->second;
    return now;
  }
  Result<Edit> operator()(const SetOscillator& edit) const {
    const auto* slot = show.find_slot(edit.slot);
    if (slot == nullptr) return no_slot(edit.slot);
    const auto found = slot->oscillators.find(edit.name);
    SetOscillator now{edit.slot, edit.name, std::nullopt};
    if (found != slot->oscillators.end()) now.oscillator = found->second;
    return now;
  }
  Result<Edit> operator()(const SetTempo& edit) const {
    return SetTempo{show.tempo, edit.sets_beat};
  }
  Result<Edit> operator()(const SetFade& edit) const {
    const auto* slot = show.find_slot(edit.slot);
    if (slot == nullptr) return no_slot(edit.slot);
    const auto found = slot->fades.find(edit.name);
    SetFade now{edit.slot, edit.name, std::nullopt};
    if (found != slot->fades.end()) now.fade = found->second;
    return now;
  }
  Result<Edit> operator()(const SetKnobValue& edit) const {
    const auto found = std::ranges::find(show.knobs, edit.knob, &show::Knob::name);
    if (found == show.knobs.end()) return no_knob(edit.knob);
    return SetKnobValue{edit.knob, found->value};
  }
  Result<Edit> operator()(const SetNextCue&) const { return SetNextCue{show.next_cue}; }
  Result<Edit> operator()(const SetFollowing&) const { return SetFollowing{show.following}; }
  Result<Edit> operator()(const SetBypass& edit) const {
    const auto* slot = show.find_slot(edit.slot);
    if (slot == nullptr) return no_slot(edit.slot);
    return SetBypass{edit.slot, slot->is_bypassed};
  }
  Result<Edit> operator()(const SetHelpers& edit) const {
    const auto* slot = show.find_slot(edit.slot);
    if (slot == nullptr) return no_slot(edit.slot);
    return SetHelpers{edit.slot, slot->helpers};
  }
  Result<Edit> operator()(const SetLinks& edit) const {
    const auto* stream = show.find_stream(edit.stream);
    if (stream == nullptr) return no_stream(edit.stream);
    return SetLinks{edit.stream, stream->link_count, stream->routes};
  }
  Result<Edit> operator()(const SetPolicy& edit) const {
    const auto* stream = show.find_stream(edit.stream);
    if (stream == nullptr) return no_stream(edit.stream);
    return SetPolicy{edit.stream, stream->policy, stream->pause_budget};
  }
  Result<Edit> operator()(const EditGroup& group) const {
    EditGroup now{group.title, {}};
    for (const auto& edit : group.edits) {
      auto part = present(show, edit);
      if (!part) return part;
      now.edits.push_back(*std::move(part));
    }
    return now;
  }
  template <typename PartEdit>
  Result<Edit> operator()(const PartEdit& edit) const {
    return present_part(show, edit).map([](auto now) { return Edit(std::move(now)); });
  }
};

struct ApplyTo {
  show::Show& show;

  /// A receiver with policy "wait" would wait without end for a bypassed stream-out.
  [[nodiscard]] Result<void> check_receivers(const show::Port& slot) const {
    for (const auto& stream : show.streams) {
      if (stream.from != slot || stream.policy != show::InputPolicy::wait) continue;
      return fail(
          "{}.{}: stream \"{}\" waits for each of its frames, so a bypass would stop the show; set "
          "the stream's policy to hold first, or take the stream out",
          slot.submix, slot.slot, stream.name);
    }
    return {};
  }

  Result<void> operator()(const ReplaceShow& edit) const {
    if (edit.show == nullptr) return fail("there was no show before");
    show = *edit.show;
    return {};
  }
  Result<void> operator()(const AssignSubmix& edit) const {
    return show::assign(show, edit.submix, edit.node);
  }
  Result<void> operator()(const SetParameter& edit) const {
    if (!edit.value) return show::clear_parameter(show, edit.slot, edit.name);
    return show::set_parameter(show, edit.slot, edit.name, *edit.value);
  }
  Result<void> operator()(const SetOscillator& edit) const {
    return show::set_oscillator(show, edit.slot, edit.name, edit.oscillator);
  }
  Result<void> operator()(const SetTempo& edit) const {
    show.tempo = edit.tempo;
    return {};
  }
  Result<void> operator()(const SetFade& edit) const {
    return show::set_fade(show, edit.slot, edit.name, edit.fade);
  }
  Result<void> operator()(const SetKnobValue& edit) const {
    const auto found = std::ranges::find(show.knobs, edit.knob, &show::Knob::name);
    if (found == show.knobs.end()) return no_knob(edit.knob);
    found->value = edit.value;
    return {};
  }
  Result<void> operator()(const SetNextCue& edit) const {
    show.next_cue = edit.cue;
    return {};
  }
  Result<void> operator()(const SetFollowing& edit) const {
    show.following = edit.at;
    return {};
  }
  Result<void> operator()(const SetBypass& edit) const {
    if (edit.is_bypassed) {
      if (auto checked = check_receivers(edit.slot); !checked) return checked;
    }
    return show::set_bypassed(show, edit.slot, edit.is_bypassed);
  }
  Result<void> operator()(const SetHelpers& edit) const {
    return show::set_helpers(show, edit.slot, edit.helpers);
  }
  Result<void> operator()(const SetLinks& edit) const {
    return show::set_links(show, edit.stream, edit.count, edit.routes);
  }
  Result<void> operator()(const SetPolicy& edit) const {
    return show::set_policy(show, edit.stream, edit.policy, edit.pause_budget);
  }
  Result<void> operator()(const EditGroup& group) const {
    auto changed = show;
    for (const auto& edit : group.edits) {
      if (auto done = apply(changed, edit); !done) return done;
    }
    show = std::move(changed);
    return {};
  }
  template <typename PartEdit>
  Result<void> operator()(const PartEdit& edit) const {
    return apply_part(show, edit);
  }
};

template <typename PartEdit, typename... Others>
constexpr bool is_one_of = (std::is_same_v<PartEdit, Others> || ...);

struct IsBroad {
  bool operator()(const EditGroup&) const { return true; }
  template <typename PartEdit>
  bool operator()(const PartEdit&) const {
    return is_one_of<PartEdit, SetSlots, SetSubmixes, SetStreams, SetNodes, ReplaceShow>;
  }
};

struct IsStructural {
  bool operator()(const EditGroup& group) const {
    return std::ranges::any_of(group.edits, &is_structural);
  }
  template <typename PartEdit>
  bool operator()(const PartEdit&) const {
    return !is_one_of<PartEdit, SetParameter, SetOscillator, SetTempo, SetBypass, SetFade,
                      SetKnobValue, SetNextCue, SetFollowing>;
  }
};

}  // namespace

bool operator==(const SetOscillator& a, const SetOscillator& b) {
  if (a.slot != b.slot || a.name != b.name) return false;
  if (!a.oscillator || !b.oscillator) return a.oscillator == b.oscillator;
  return show::stated(*a.oscillator) == show::stated(*b.oscillator);
}

bool operator==(const SetTempo& a, const SetTempo& b) {
  const bool compares_beat = a.sets_beat || b.sets_beat;
  const bool is_same_beat = a.tempo.since == b.tempo.since && a.tempo.beats == b.tempo.beats;
  return is_same_pace(a.tempo, b.tempo) && (!compares_beat || is_same_beat);
}

std::string title(const Edit& edit) {
  return std::visit(TitleOf{}, edit);
}

bool is_same_target(const Edit& a, const Edit& b) {
  return std::visit(TargetOf{}, a) == std::visit(TargetOf{}, b);
}

bool is_broad(const Edit& edit) {
  return std::visit(IsBroad{}, edit);
}

bool is_structural(const Edit& edit) {
  return std::visit(IsStructural{}, edit);
}

bool operator==(const EditGroup& a, const EditGroup& b) {
  return a.edits == b.edits;
}

Result<Edit> present(const show::Show& show, const Edit& edit) {
  return std::visit(PresentOf{show}, edit);
}

Result<void> apply(show::Show& show, const Edit& edit) {
  return std::visit(ApplyTo{show}, edit);
}

}  // namespace submix::model
