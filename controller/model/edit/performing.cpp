// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/performing.hpp"

#include "common/show/lookup.hpp"
#include "common/show/references.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/follow_on.hpp"
#include "controller/model/edit/play_range.hpp"
#include "controller/model/edit/value_gate.hpp"
#include "controller/model/view/oscillation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

namespace submix::model {
namespace {

template <typename Items>
std::string last_of(const Items& items) {
  return items.empty() ? std::string() : items.back().name;
}

/// Whether an edit moves an end of the slot's range.
struct MovesRange {
  const show::Slot& slot;
  const show::Port& port;

  bool operator()(const SetParameter& edit) const { return is_it(edit.slot, edit.name); }
  bool operator()(const SetOscillator& edit) const { return is_it(edit.slot, edit.name); }
  bool operator()(const SetFade& edit) const { return is_it(edit.slot, edit.name); }
  template <typename Other>
  bool operator()(const Other&) const {
    return false;
  }
  [[nodiscard]] bool is_it(const show::Port& of, std::string_view name) const {
    return of == port && is_play_range(slot, name);
  }
};

// Several changes, each made on top of the former ones, collected into one edit.
class EditCollector {
 public:
  EditCollector(const show::Show& show, const PluginMap& plugins)
      : before_(show), show_(show), plugins_(plugins) {}

  [[nodiscard]] const show::Show& show() const { return show_; }

  // Whether the plugin takes the value. A refused value is noted in left_out_.
  bool takes(const CheckedValue& value) {
    auto fault = fault_of(value, show_, plugins_);
    if (fault.empty()) return true;
    const bool is_told = std::ranges::find(left_out_, fault) != left_out_.end();
    if (!is_told) left_out_.push_back(std::move(fault));
    return false;
  }
  // The plugin's parameter. Null: its description is unknown.
  [[nodiscard]] const cluster::ParameterSummary* parameter(const show::Port& slot,
                                                           const std::string& name) const {
    const auto known = find_parameter(show_, plugins_, slot, name);
    return known ? known->parameter : nullptr;
  }

  // Whether the parameter is true or false now.
  [[nodiscard]] bool is_switch(const show::Port& port, const std::string& name) const {
    const auto* slot = show_.find_slot(port);
    if (slot == nullptr) return false;
    const auto stated = slot->parameters.find(name);
    return stated != slot->parameters.end() && std::holds_alternative<bool>(stated->second);
  }

  // Adds the edit if it changes anything.
  Result<void> add(const Edit& edit) {
    const auto now = present(show_, edit);
    SUBMIX_TRY(now);
    return *now == edit ? Result<void>() : put(edit);
  }
  // Sets a value by hand. An oscillator of the parameter is held.
  Result<void> set(const SetParameter& parameter) {
    if (const auto* slot = show_.find_slot(parameter.slot); slot != nullptr) {
      const auto moves = slot->oscillators.find(parameter.name);
      if (moves != slot->oscillators.end()) {
        auto held = moves->second;
        held.is_on = false;
        if (auto done = put(SetOscillator{parameter.slot, parameter.name, held}); !done)
          return done;
      }
    }
    return put(parameter);
  }
  // Also puts an edit that changes nothing: all edits of a drag must change the same things to be
  // one step.
  Result<void> put(const Edit& edit) {
    if (auto applied = apply(show_, edit); !applied) return applied;
    const auto same =
        std::ranges::find_if(edits_, [&](const Edit& each) { return is_same_target(each, edit); });
    if (same == edits_.end()) {
      edits_.push_back(edit);
    } else {
      *same = edit;  // one edit for each thing, with the last value
    }
    return {};
  }
  void leave_out(std::string reason) { left_out_.push_back(std::move(reason)); }
  Performed finish(std::string title) && {
    keep_ranges();
    return {EditGroup{std::move(title), std::move(edits_)}, std::move(left_out_)};
  }

 private:
  // Keeps the former range of a clip that would have nothing to play. Called at the end, because a
  // knob may move both ends. The edits stay, so that all edits of a drag change the same things.
  void keep_ranges() {
    for (auto& empty : new_empty_ranges(&before_, show_)) {
      const auto* slot = before_.find_slot(empty.slot);
      for (auto& edit : edits_) {
        if (slot == nullptr || !std::visit(MovesRange{*slot, empty.slot}, edit)) continue;
        if (auto now = present(before_, edit)) edit = *std::move(now);
      }
      left_out_.push_back(std::move(empty.reason));
    }
  }

  const show::Show& before_;  // the caller's
  show::Show show_;
  const PluginMap& plugins_;
  std::vector<Edit> edits_;
  std::vector<std::string> left_out_;
};

std::string place_text(const show::Port& slot, std::string_view parameter) {
  return fmt::format("{}.{}", show::to_string(slot), parameter);
}

double knob_value(const show::KnobTarget& target, double value) {
  return std::lerp(target.from, target.to, value);
}

Result<void> turn(EditCollector& move, std::string_view name, double value) {
  const auto* found = show::item_named(move.show().knobs, name);
  if (found == nullptr) return show::not_there("knob", name, move.show().knobs);
  const auto knob = *found;
  if (auto turned = move.put(SetKnobValue{knob.name, value}); !turned) return turned;
  for (const auto& target : knob.targets) {
    const auto place =
        fmt::format("knob \"{}\", {}", knob.name, place_text(target.slot, target.parameter));
    if (!move.takes({target.slot, target.parameter, target, place})) continue;
    const auto number = knob_value(target, value);
    const auto* parameter = move.parameter(target.slot, target.parameter);
    show::ParameterValue wanted = parameter == nullptr ? number : turned_to(*parameter, number);
    if (parameter == nullptr && move.is_switch(target.slot, target.parameter))
      wanted = number >= 0.5;
    if (auto set = move.set({target.slot, target.parameter, std::move(wanted)}); !set) return set;
  }
  return {};
}

// Presets.

// The prefix of a slot's parameters in a preset. Empty: the preset is of that slot alone.
std::string prefix_of(const show::Port& of, const std::string& slot) {
  return of.slot.empty() ? slot + "." : std::string();
}

std::vector<std::string> slots_of(const show::Show& show, const show::Port& of) {
  if (!of.slot.empty()) return {of.slot};
  std::vector<std::string> names;
  const auto* submix = show.find_submix(of.submix);
  for (const auto& slot : submix == nullptr ? std::vector<show::Slot>() : submix->slots)
    names.push_back(slot.name);
  return names;
}

// The preset's values for one slot, by the slot's own names.
template <typename Values>
Values part_of(const Values& values, const std::string& prefix) {
  Values part;
  for (const auto& [name, value] : values) {
    if (name.starts_with(prefix)) part.emplace(name.substr(prefix.size()), value);
  }
  return part;
}

Result<void> apply_to_slot(EditCollector& move, const show::Port& port,
                           const show::Parameters& parameters,
                           const show::Oscillators& oscillators) {
  const auto* slot = move.show().find_slot(port);
  if (slot == nullptr) return fail("the show has no slot \"{}\" any more", show::to_string(port));
  const auto before = *slot;
  for (const auto& [name, value] : before.parameters) {
    if (parameters.contains(name)) continue;
    if (auto cleared = move.add(SetParameter{port, name, std::nullopt}); !cleared) return cleared;
  }
  for (const auto& [name, value] : parameters) {
    if (!move.takes({port, name, value, place_text(port, name)})) continue;
    if (auto set = move.add(SetParameter{port, name, value}); !set) return set;
  }
  for (const auto& [name, oscillator] : before.oscillators) {
    if (oscillators.contains(name)) continue;
    if (auto cleared = move.add(SetOscillator{port, name, std::nullopt}); !cleared) return cleared;
  }
  for (const auto& [name, oscillator] : oscillators) {
    if (!move.takes({port, name, oscillator, "oscillator of " + place_text(port, name)})) continue;
    if (auto set = move.add(SetOscillator{port, name, oscillator}); !set) return set;
  }
  return {};
}

Result<void> apply_named(EditCollector& move, std::string_view name) {
  const auto* found = show::item_named(move.show().presets, name);
  if (found == nullptr) return show::not_there("preset", name, move.show().presets);
  const auto preset = *found;
  for (const auto& slot : slots_of(move.show(), preset.of)) {
    const auto prefix = prefix_of(preset.of, slot);
    auto applied = apply_to_slot(move, {preset.of.submix, slot}, part_of(preset.parameters, prefix),
                                 part_of(preset.oscillators, prefix));
    if (!applied) return applied;
  }
  return {};
}

// Cues.

struct ApplyCueChange {
  EditCollector& move;

  Result<void> operator()(const show::CueParameter& change) const {
    const auto place = place_text(change.slot, change.parameter);
    if (!move.takes({change.slot, change.parameter, change.value, place})) return {};
    const auto* parameter = move.parameter(change.slot, change.parameter);
    return move.set({change.slot, change.parameter,
                     parameter == nullptr ? change.value : fitted(*parameter, change.value)});
  }
  Result<void> operator()(const show::CueKnob& change) const {
    return turn(move, change.knob, change.value);
  }
  Result<void> operator()(const show::CuePreset& change) const {
    return apply_named(move, change.preset);
  }
  Result<void> operator()(const show::CueBypass& change) const {
    return move.add(SetBypass{change.slot, change.is_bypassed});
  }
  Result<void> operator()(const show::CueAssign& change) const {
    return move.add(AssignSubmix{change.submix, change.node});
  }
};

template <typename Values>
bool has_same(const Values& some, const Values& others, const std::string& name) {
  const auto one = some.find(name);
  const auto other = others.find(name);
  const bool is_there = one != some.end();
  return is_there == (other != others.end()) && (!is_there || one->second == other->second);
}

// Whether nothing has touched the parameter: a fade of it goes on.
bool is_untouched(const show::Slot& before, const show::Slot& after, const std::string& name) {
  return has_same(before.parameters, after.parameters, name) &&
         has_same(before.oscillators, after.oscillators, name) &&
         has_same(before.fades, after.fades, name);
}

// Numbers of `after` that differ from `before` and do not move from now on.
std::vector<SetParameter> changed_numbers(const show::Show& before, const show::Show& after) {
  std::vector<SetParameter> numbers;
  for (const auto& submix : after.submixes) {
    for (const auto& slot : submix.slots) {
      const auto* old = before.find_slot({submix.name, slot.name});
      if (old == nullptr || *old == slot) continue;
      for (const auto& [name, value] : slot.parameters) {
        const auto moves = slot.oscillators.find(name);
        const bool holds_still = moves == slot.oscillators.end() || !moves->second.is_on;
        if (holds_still && std::holds_alternative<double>(value) && !is_untouched(*old, slot, name))
          numbers.push_back({{submix.name, slot.name}, name, value});
      }
    }
  }
  return numbers;
}

Result<void> add_fades(EditCollector& move, const show::Show& before, const RunningState& running,
                       double seconds) {
  const double rate = before.rate.frames_per_second();
  const auto frames = static_cast<std::uint64_t>(std::llround(seconds * rate));
  if (frames == 0 || !running.time) return {};
  const auto start = before.rate.index_at(show::announced_after(*running.time));
  for (const auto& number : changed_numbers(before, move.show())) {
    const auto from = number_at(before, running, number, start);
    if (!from || *from == std::get<double>(*number.value)) continue;
    if (auto set =
            move.add(SetFade{number.slot, number.name, show::Fade{*from, start.value, frames}});
        !set)
      return set;
  }
  return {};
}

// The follow-on of the cue that goes now, or none: a cue that goes ends the one before.
Result<void> set_following(EditCollector& move, const show::Show& before, const show::Cue& cue,
                           const RunningState& running) {
  SetFollowing following;
  if (cue.follow && running.time)
    following.at = due_after(*cue.follow, before.tempo, *running.time);
  if (cue.follow && !running.time)
    move.leave_out(fmt::format(
        "follow-on of cue \"{}\": the show's time is not known yet; say go for the next cue",
        cue.name));
  return move.add(following);
}

// `cue` is one of the show's. The first cue follows the last.
const show::Cue& cue_behind(const show::Show& show, const show::Cue& cue) {
  const auto* next = &cue + 1;
  return next == show.cues.data() + show.cues.size() ? show.cues.front() : *next;
}

template <typename Items>
Edit without(const show::Show& show, Items show::Show::* items, const std::string& name,
             std::string title) {
  auto after = show;
  std::erase_if(after.*items, [&](const auto& item) { return item.name == name; });
  show::forget_missing(after);
  return difference(show, after, std::move(title));
}

}  // namespace

RunningState running_of(const ClusterView& view, LocalTime now) {
  RunningState running{.time = show_time(view, now), .plugins = {}, .sound = sound_now(view)};
  if (view.plugins && view.show) running.plugins = with_macros(*view.plugins, *view.show);
  return running;
}

const PluginMap& plugins_of(const ClusterView& view) {
  static const PluginMap kNone;
  return view.plugins == nullptr ? kNone : *view.plugins;
}

Result<Performed> turn_knob(const show::Show& show, const PluginMap& plugins, std::string_view knob,
                            double value) {
  EditCollector move(show, plugins);
  const double turned_to = std::clamp(value, 0.0, 1.0);
  SUBMIX_TRY(turn(move, knob, turned_to));
  return std::move(move).finish(fmt::format("knob {}: {:.3g}", knob, turned_to));
}

Result<Edit> move_number(const show::Show& show, const RunningState& running,
                         const SetParameter& number, double seconds) {
  EditCollector move(show, running.plugins);
  SUBMIX_TRY(move.set(number));
  SUBMIX_TRY(add_fades(move, show, running, seconds));
  const auto title = fmt::format("{}: {}", show::to_string(number.slot), number.name);
  return std::move(move).finish(title).edit;
}

Result<Edit> save_preset(const show::Show& show, std::string name, const show::Port& of) {
  const auto* submix = show.find_submix(of.submix);
  if (submix == nullptr) return show::not_there("submix", of.submix, show.submixes);
  if (!of.slot.empty() && show.find_slot(of) == nullptr)
    return show::not_there("slot", of.slot, submix->slots);
  show::Preset preset{std::move(name), of, {}, {}};
  for (const auto& slot_name : slots_of(show, of)) {
    const auto& slot = *show.find_slot({of.submix, slot_name});
    const auto prefix = prefix_of(of, slot_name);
    for (const auto& [parameter, value] : slot.parameters)
      preset.parameters.emplace(prefix + parameter, value);
    for (const auto& [parameter, oscillator] : slot.oscillators)
      preset.oscillators.emplace(prefix + parameter, oscillator);
  }
  auto key = preset.name;
  return SetPresets{{{std::move(key), std::move(preset), last_of(show.presets)}}};
}

Result<Performed> apply_preset(const show::Show& show, const PluginMap& plugins,
                               std::string_view preset) {
  EditCollector move(show, plugins);
  SUBMIX_TRY(apply_named(move, preset));
  return std::move(move).finish(fmt::format("preset {}", preset));
}

const show::Cue* next_cue(const show::Show& show) {
  if (!show.next_cue.empty()) return show::item_named(show.cues, show.next_cue);
  return show.cues.empty() ? nullptr : show.cues.data();
}

Result<CueStep> go(const show::Show& show, const RunningState& running, std::string_view name) {
  const auto* cue = name.empty() ? next_cue(show) : show::item_named(show.cues, name);
  if (cue == nullptr && name.empty()) return fail("the show has no cues; add [[cue]] to it");
  if (cue == nullptr) return show::not_there("cue", name, show.cues);

  EditCollector move(show, running.plugins);
  for (const auto& change : cue->changes) {
    if (auto done = std::visit(ApplyCueChange{move}, change); !done)
      return fail("cue \"{}\": {}", cue->name, done.error().message);
  }
  if (auto faded = add_fades(move, show, running, cue->fade_seconds); !faded)
    return fail("cue \"{}\": {}", cue->name, faded.error().message);

  SUBMIX_TRY(move.add(SetNextCue{cue_behind(show, *cue).name}));
  SUBMIX_TRY(set_following(move, show, *cue, running));
  auto done = std::move(move).finish(fmt::format("cue {}", cue->name));
  return CueStep{cue->name, std::move(done.edit), cue->is_paused, std::move(done.left_out),
                 cue->follow && running.time};
}

Edit delete_knob(const show::Show& show, const std::string& knob) {
  return without(show, &show::Show::knobs, knob, "delete knob " + knob);
}

Edit delete_preset(const show::Show& show, const std::string& preset) {
  return without(show, &show::Show::presets, preset, "delete preset " + preset);
}

Edit delete_cue(const show::Show& show, const std::string& cue) {
  return without(show, &show::Show::cues, cue, "delete cue " + cue);
}

std::string text_of(const show::CueChange& change) {
  struct Text {
    std::string operator()(const show::CueParameter& each) const {
      return title(SetParameter{each.slot, each.parameter, each.value});
    }
    std::string operator()(const show::CueKnob& each) const {
      return fmt::format("knob {}: {:.3g}", each.knob, each.value);
    }
    std::string operator()(const show::CuePreset& each) const { return "preset " + each.preset; }
    std::string operator()(const show::CueBypass& each) const {
      return title(SetBypass{each.slot, each.is_bypassed});
    }
    std::string operator()(const show::CueAssign& each) const {
      return title(AssignSubmix{each.submix, each.node});
    }
  };
  return std::visit(Text{}, change);
}

SetTempo set_beat(const show::Tempo& tempo, double beats, std::chrono::nanoseconds now) {
  return set_beat(tempo, tempo, beats, now);
}

SetTempo set_beat(const show::Tempo& tempo, const show::Tempo& pace, double beats,
                  std::chrono::nanoseconds now) {
  const auto at = show::announced_after(now);
  const std::chrono::duration<double, std::ratio<60>> ahead = at - now;
  const double passed = ahead.count() * pace.beats_per_minute * pace.master_speed;
  const auto after = show::changed(tempo, pace.beats_per_minute, pace.master_speed, at);
  return {show::with_beat(after, beats + passed, at), true};
}

std::optional<double> number_at(const show::Show& show, const RunningState& running,
                                const SetParameter& parameter, FrameIndex frame) {
  const auto* slot = show.find_slot(parameter.slot);
  if (slot == nullptr) return std::nullopt;
  if (const auto moves = slot->oscillators.find(parameter.name);
      moves != slot->oscillators.end() && moves->second.is_on) {
    const auto seed = show::seed_of(
        fmt::format("{}.{}.{}", parameter.slot.submix, parameter.slot.slot, parameter.name));
    auto moment = moment_of(show.tempo, show.rate, frame);
    moment.sound = running.sound;
    return value_at(moves->second, moment, seed);
  }
  std::optional<double> number;
  if (const auto plugin = running.plugins.find(slot->plugin); plugin != running.plugins.end()) {
    for (const auto& known : plugin->second.parameters) {
      const auto* initial = std::get_if<double>(&known.initial);
      if (known.name == parameter.name && initial != nullptr) number = *initial;
    }
  }
  if (const auto stated = slot->parameters.find(parameter.name); stated != slot->parameters.end()) {
    const auto* value = std::get_if<double>(&stated->second);
    if (value == nullptr) return std::nullopt;
    number = *value;
  }
  const auto fades = slot->fades.find(parameter.name);
  if (number && fades != slot->fades.end()) return value_at(fades->second, *number, frame.value);
  return number;
}

}  // namespace submix::model
