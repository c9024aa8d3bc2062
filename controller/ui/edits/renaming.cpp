// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/renaming.hpp"

#include "controller/model/edit/cue_list.hpp"
#include "controller/ui/edits/edit_show.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace submix::ui {
namespace {

Result<model::Edit> edit_of(const Renaming& renaming, const show::Show& show) {
  const auto rename =
      renaming.kind == Renaming::Kind::cue ? &model::rename_cue : &model::rename_preset;
  return rename(show, renaming.name, renaming.typed);
}

// The keys' preset stays the chosen one.
void take_name(const Renaming& renaming, Panel& panel) {
  auto& chosen = panel.state.perform->preset;
  if (renaming.kind == Renaming::Kind::preset && chosen == renaming.name) chosen = renaming.typed;
}

// Empty: it is not among the renamed ones.
std::string new_name(const std::vector<model::Renamed>& renamed, const std::string& name) {
  const auto found = std::ranges::find(renamed, name, &model::Renamed::from);
  return found == renamed.end() ? std::string() : found->to;
}

void follow(const std::vector<model::Renamed>& cues, const std::vector<model::Renamed>& knobs,
            Panel& panel) {
  for (const auto& [mapping, is_here, trouble, distance] : panel.input.mappings) {
    auto renamed = mapping;
    if (auto* cue = std::get_if<input::CueTarget>(&renamed.target))
      cue->cue = new_name(cues, cue->cue);
    else if (auto* knob = std::get_if<input::KnobTarget>(&renamed.target))
      knob->knob = new_name(knobs, knob->knob);
    else
      continue;
    const bool is_followed = renamed.target != input::Target(input::CueTarget{}) &&
                             renamed.target != input::Target(input::KnobTarget{});
    if (is_followed) panel.input_actions.emplace_back(input::ChangeMapping{mapping, renamed});
  }
}

}  // namespace

void begin_renaming(Renaming::Kind kind, const std::string& name, Panel& panel) {
  panel.state.perform->renaming = Renaming{kind, name, name};
}

void draw_rename_item(Renaming::Kind kind, const std::string& name, Panel& panel) {
  if (panel.state.is_performing) return;
  if (ImGui::Selectable("Rename …")) begin_renaming(kind, name, panel);
}

bool is_renaming(Renaming::Kind kind, const std::string& name, const Panel& panel) {
  const auto& renaming = panel.state.perform->renaming;
  return renaming && renaming->kind == kind && renaming->name == name;
}

void draw_renaming(float width, Panel& panel) {
  auto& renaming = panel.state.perform->renaming;
  if (!std::exchange(renaming->has_focus, true)) {
    ask_for_keyboard(panel);
    const bool is_in_view = ImGui::IsRectVisible(ImVec2(1, ImGui::GetFrameHeight()));
    if (!is_in_view) ImGui::SetScrollHereY();
  }
  ImGui::SetNextItemWidth(width);
  constexpr auto kFlags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll;
  const bool is_entered = ImGui::InputText("##renamed", &renaming->typed, kFlags);
  const bool is_left = ImGui::IsItemDeactivated() && !is_entered;
  if (is_entered && renaming->typed != renaming->name) {
    if (!edit_show(edit_of(*renaming, *panel.view.show), Gesture::begin, panel)) {
      renaming->has_focus = false;  // Enter took the keyboard from the field
      return;
    }
    take_name(*renaming, panel);
  }
  if (is_entered || is_left) renaming.reset();
}

void follow_renames(Panel& panel) {
  auto& known = panel.state.perform->known_show;
  const auto before = std::exchange(known, panel.view.show);
  if (before == known || before == nullptr || known == nullptr || panel.input.mappings.empty())
    return;
  const auto cues = model::renamed_cues(*before, *known);
  const auto knobs = model::renamed_knobs(*before, *known);
  if (!cues.empty() || !knobs.empty()) follow(cues, knobs, panel);
}

}  // namespace submix::ui
