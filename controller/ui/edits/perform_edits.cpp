// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/perform_edits.hpp"

#include "common/base/clock.hpp"
#include "controller/model/edit/layers.hpp"
#include "controller/model/edit/outputs.hpp"
#include "controller/model/edit/performing.hpp"
#include "controller/model/plan/planner.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/perform_state.hpp"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace submix::ui {
namespace {

// Whether both changes act on the same thing, so that a cue can have only one of them.
struct IsSameThing {
  bool operator()(const show::CueParameter& a, const show::CueParameter& b) const {
    return a.slot == b.slot && a.parameter == b.parameter;
  }
  bool operator()(const show::CueKnob& a, const show::CueKnob& b) const { return a.knob == b.knob; }
  bool operator()(const show::CuePreset& a, const show::CuePreset& b) const {
    return a.preset == b.preset;
  }
  bool operator()(const show::CueBypass& a, const show::CueBypass& b) const {
    return a.slot == b.slot;
  }
  bool operator()(const show::CueAssign& a, const show::CueAssign& b) const {
    return a.submix == b.submix;
  }
  template <typename A, typename B>
  bool operator()(const A&, const B&) const {
    return false;
  }
};

void put_into(show::Cue cue, const show::CueChange& change, Panel& panel) {
  const auto same = std::ranges::find_if(cue.changes, [&](const show::CueChange& each) {
    return std::visit(IsSameThing{}, each, change);
  });
  if (same == cue.changes.end()) {
    cue.changes.push_back(change);
  } else {
    *same = change;
  }
  const auto& cues = panel.view.show->cues;
  auto name = cue.name;
  auto after = cues.empty() ? std::string() : cues.back().name;
  edit_show(model::SetCues{{{std::move(name), std::move(cue), std::move(after)}}}, Gesture::begin,
            panel);
}

void set_knob(show::Knob knob, Panel& panel) {
  const auto& knobs = panel.view.show->knobs;
  auto name = knob.name;
  auto after = knobs.empty() ? std::string() : knobs.back().name;
  edit_show(model::SetKnobs{{{std::move(name), std::move(knob), std::move(after)}}}, Gesture::begin,
            panel);
}

// The one with this name, or the first. `things` is not empty.
template <typename Things>
auto chosen_of(const Things& things, const std::string& name) {
  const auto found =
      std::ranges::find_if(things, [&](const auto& thing) { return thing.name == name; });
  return found == things.end() ? things.begin() : found;
}

template <typename Things>
std::string name_beside(const Things& things, const std::string& name, int step) {
  const auto count = static_cast<int>(things.size());
  const auto place = static_cast<int>(chosen_of(things, name) - things.begin());
  return things[static_cast<std::size_t>((place + step + count) % count)].name;
}

// A cue is performed at once, whatever it demands of cards and computers; the window only warns.
void warn_of(const model::Edit& edit, Panel& panel) {
  const auto plan = model::plan_change(panel.view, edit);
  if (plan && plan->outlook >= model::Outlook::warning)
    panel.actions.emplace_back(session::Say{Severity::warning, "perform", plan->sentence});
}

}  // namespace

void draw_knob_menu(const show::KnobTarget& target, Panel& panel) {
  if (panel.view.show == nullptr || !ImGui::BeginMenu("On a knob")) return;
  const auto is_it = [&](const show::KnobTarget& other) {
    return other.slot == target.slot && other.parameter == target.parameter;
  };
  for (const auto& knob : panel.view.show->knobs) {
    const bool is_on_it = std::ranges::any_of(knob.targets, is_it);
    if (!ImGui::MenuItem(knob.name.c_str(), nullptr, is_on_it)) continue;
    auto changed = knob;
    if (is_on_it) {
      std::erase_if(changed.targets, is_it);
    } else {
      changed.targets.push_back(target);
    }
    set_knob(std::move(changed), panel);
  }
  if (ImGui::MenuItem("A new knob")) {
    auto name = free_name("knob", panel.view.show->knobs);
    set_knob({std::move(name), 0.0, {target}}, panel);
  }
  ImGui::EndMenu();
}

void draw_cue_menu(const show::CueChange& change, Panel& panel) {
  if (panel.view.show == nullptr || !ImGui::BeginMenu("Into a cue")) return;
  for (const auto& cue : panel.view.show->cues) {
    if (ImGui::MenuItem(cue.name.c_str())) put_into(cue, change, panel);
  }
  if (ImGui::MenuItem("A new cue")) {
    show::Cue cue;
    cue.name = free_name("cue", panel.view.show->cues);
    put_into(std::move(cue), change, panel);
  }
  ImGui::EndMenu();
}

bool can_go(const Panel& panel) {
  return panel.view.show != nullptr && model::next_cue(*panel.view.show) != nullptr;
}

void go(Panel& panel, std::string_view cue) {
  if (panel.view.show == nullptr) return;
  auto step = model::go(*panel.view.show, model::running_of(panel.view, SteadyClock().now()), cue);
  if (!step) {
    edit_show(Result<model::Edit>(tl::unexpected(step.error())), Gesture::begin, panel);
    return;
  }
  warn_of(step->edit, panel);
  const model::Performed done{std::move(step->edit), std::move(step->left_out)};
  edit_show(Result<model::Performed>(done), Gesture::begin, panel);
  if (step->is_paused) panel.actions.emplace_back(session::SetPaused{*step->is_paused});
}

void stop_following(Panel& panel) {
  panel.actions.emplace_back(session::EditShow{model::SetFollowing{}, 0, false});
}

bool is_following(const Panel& panel) {
  return panel.view.show != nullptr && panel.view.show->following.has_value();
}

bool has_knobs(const Panel& panel) {
  return panel.view.show != nullptr && !panel.view.show->knobs.empty();
}
bool has_presets(const Panel& panel) {
  return panel.view.show != nullptr && !panel.view.show->presets.empty();
}

const show::Knob* chosen_knob(const Panel& panel) {
  return has_knobs(panel) ? &*chosen_of(panel.view.show->knobs, panel.state.perform->knob)
                          : nullptr;
}
const show::Preset* chosen_preset(const Panel& panel) {
  return has_presets(panel) ? &*chosen_of(panel.view.show->presets, panel.state.perform->preset)
                            : nullptr;
}

void choose_knob(int step, Panel& panel) {
  panel.state.perform->knob = name_beside(panel.view.show->knobs, panel.state.perform->knob, step);
}
void choose_preset(int step, Panel& panel) {
  panel.state.perform->preset =
      name_beside(panel.view.show->presets, panel.state.perform->preset, step);
}

void begin_gesture_of_wheel(const std::string& knob, Panel& panel) {
  constexpr std::chrono::milliseconds kPause{800};
  auto& state = *panel.state.perform;
  if (state.wheel_knob != knob || panel.view.now - state.wheel_at > kPause) begin_gesture(panel);
  state.wheel_knob = knob;
  state.wheel_at = panel.view.now;
}

void turn(const std::string& knob, double value, Panel& panel) {
  edit_show(model::turn_knob(*panel.view.show, model::plugins_of(panel.view), knob, value),
            Gesture::go_on, panel);
}

void turn_chosen_knob(double by, Panel& panel) {
  const auto* knob = chosen_knob(panel);
  if (knob == nullptr) return;
  panel.state.perform->knob = knob->name;
  begin_gesture_of_wheel(knob->name, panel);
  turn(knob->name, std::clamp(knob->value + by, 0.0, 1.0), panel);
}

void turn_knob_to(const std::string& knob, double value, Panel& panel) {
  begin_gesture(panel);
  panel.state.perform->knob = knob;
  turn(knob, value, panel);
}

void apply_preset(const std::string& preset, Panel& panel) {
  panel.state.perform->preset = preset;
  edit_show(model::apply_preset(*panel.view.show, model::plugins_of(panel.view), preset),
            Gesture::begin, panel);
}

void apply_chosen_preset(Panel& panel) {
  if (const auto* preset = chosen_preset(panel)) apply_preset(std::string(preset->name), panel);
}

std::string shown_mix(const Panel& panel) {
  return model::find_mix(*panel.view.show).value_or(panel.state.picture.submix);
}

void record_outputs(bool is_recording, Panel& panel) {
  const auto edit =
      model::set_recording(*panel.view.show, plugins_of(panel), shown_mix(panel), is_recording);
  // Like black-out, it is no step of undo: also a first recorder stays.
  if (edit_show(edit, Gesture::none, panel))
    std::get<session::EditShow>(panel.actions.back()).is_undoable = false;
}

}  // namespace submix::ui
