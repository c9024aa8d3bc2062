// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/renaming.hpp"

#include "controller/model/edit/cue_list.hpp"
#include "controller/model/edit/renames.hpp"
#include "controller/model/edit/show_changes.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/edits/editing_state.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace submix::ui {
namespace {

Result<model::Edit> edit_of(const Renaming& renaming, const show::Show& show) {
  auto* rename = &model::rename_cue;
  if (renaming.kind == Renaming::Kind::preset) rename = &model::rename_preset;
  if (renaming.kind == Renaming::Kind::layer) rename = &model::rename_submix;
  return rename(show, renaming.name, renaming.typed);
}

// The keys' preset stays the chosen one.
void take_name(const Renaming& renaming, Panel& panel) {
  auto& chosen = panel.state.perform->preset;
  if (renaming.kind == Renaming::Kind::preset && chosen == renaming.name) chosen = renaming.typed;
}

// True: it has another name now.
template <typename Name>
bool follow(Name& name, const std::vector<model::Renamed<Name>>& renames) {
  const auto found = std::ranges::find(renames, name, &model::Renamed<Name>::from);
  if (found == renames.end()) return false;
  name = found->to;
  return true;
}

// What is chosen and shown large stays so.
void follow_choices(const model::Renames& renames, PanelState& state) {
  show::Port chosen{state.selected_submix, state.editing->slot};
  follow(state.selected_submix, renames.submixes);
  if (follow(chosen, renames.slots)) state.editing->slot = chosen.slot;
  show::Port large{state.picture.submix, state.picture.slot};
  follow(state.picture.submix, renames.submixes);
  if (follow(large, renames.slots)) state.picture = {large.submix, large.slot};
}

struct FollowTarget {
  const model::Renames& renames;

  bool operator()(input::ParameterTarget& target) const {
    return follow(target.slot, renames.slots);
  }
  bool operator()(input::BypassTarget& target) const { return follow(target.slot, renames.slots); }
  bool operator()(input::AssignTarget& target) const {
    return follow(target.submix, renames.submixes);
  }
  bool operator()(input::KnobTarget& target) const { return follow(target.knob, renames.knobs); }
  bool operator()(input::CueTarget& target) const { return follow(target.cue, renames.cues); }
  bool operator()(input::PresetTarget& target) const {
    return follow(target.preset, renames.presets);
  }
  template <typename OfTheWholeShow>
  bool operator()(OfTheWholeShow& /*unnamed*/) const {
    return false;
  }
};

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
  if (before == known || before == nullptr || known == nullptr) return;
  const auto renames = model::renames_between(*before, *known);
  follow_choices(renames, panel.state);
  for (const auto& [mapping, is_here, trouble, distance] : panel.input.mappings) {
    auto renamed = mapping;
    if (std::visit(FollowTarget{renames}, renamed.target))
      panel.input_actions.emplace_back(input::ChangeMapping{mapping, renamed});
  }
}

}  // namespace submix::ui
