// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/presets_panel.hpp"

#include "controller/model/edit/performing.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/edits/learning.hpp"
#include "controller/ui/edits/perform_edits.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/edits/renaming.hpp"

#include <cstddef>

namespace submix::ui {
namespace {

constexpr float kPresetHeight = 34;

void draw_preset_menu(const show::Preset& preset, Panel& panel) {
  const FingerRows rows(panel);
  if (!ImGui::BeginPopupContextItem("menu")) return;
  if (ImGui::MenuItem("Save the present values in its place")) {
    edit_show(model::save_preset(*panel.view.show, preset.name, preset.of), Gesture::begin, panel);
  }
  draw_learn_item(input::PresetTarget{preset.name}, panel);
  draw_cue_menu(show::CuePreset{preset.name}, panel);
  draw_rename_item(Renaming::Kind::preset, preset.name, panel);
  if (ImGui::MenuItem("Delete the preset")) {
    edit_show(model::delete_preset(*panel.view.show, preset.name), Gesture::begin, panel);
  }
  ImGui::EndPopup();
}

void draw_preset_button(const show::Preset& preset, Panel& panel) {
  if (is_renaming(Renaming::Kind::preset, preset.name, panel))
    return draw_renaming(panel.px(150), panel);
  const bool is_chosen = &preset == chosen_preset(panel);
  ImGui::PushStyleColor(ImGuiCol_Text, is_chosen ? color::kAccent : color::kText);
  if (ImGui::Button(preset.name.c_str(), ImVec2(panel.px(150), panel.reach(kPresetHeight))))
    apply_preset(preset.name, panel);
  ImGui::PopStyleColor();
  draw_preset_menu(preset, panel);
}

void draw_preset(const show::Preset& preset, Panel& panel) {
  ImGui::PushID(preset.name.c_str());
  draw_preset_button(preset, panel);
  ImGui::SameLine();
  // SameLine() has moved half of the way
  const float below = (panel.reach(kPresetHeight) - ImGui::GetFrameHeight()) / 2;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + below);
  const auto& of = preset.of;
  text_cut(of.slot.empty() ? of.submix : of.submix + " " + of.slot,
           ImGui::GetContentRegionAvail().x, color::kDim);
  ImGui::PopID();
}

void save_new_preset(const show::Port& of, Panel& panel) {
  edit_show(model::save_preset(*panel.view.show, free_name("preset", panel.view.show->presets), of),
            Gesture::begin, panel);
}

void draw_new_preset(Panel& panel) {
  if (ImGui::Button("Save as a new preset")) ImGui::OpenPopup("of");
  const FingerRows rows(panel);
  if (!ImGui::BeginPopup("of")) return;
  const auto& chosen = panel.state.selected_submix;
  if (panel.view.show->find_submix(chosen) != nullptr) {
    if (ImGui::MenuItem(fmt::format("all of {}", chosen).c_str()))
      save_new_preset({chosen, {}}, panel);
    ImGui::Separator();
  }
  for (const auto& submix : panel.view.show->submixes) {
    if (!ImGui::BeginMenu(submix.name.c_str())) continue;
    if (ImGui::MenuItem("all of it")) save_new_preset({submix.name, {}}, panel);
    ImGui::Separator();
    for (const auto& slot : submix.slots) {
      if (ImGui::MenuItem(slot.name.c_str())) save_new_preset({submix.name, slot.name}, panel);
    }
    ImGui::EndMenu();
  }
  ImGui::EndPopup();
}

}  // namespace

void draw_presets_panel(Panel& panel) {
  if (begin_panel("Presets", panel.fonts)) {
    const auto& presets = panel.view.show->presets;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(presets.size()));
    if (const auto renamed = place_renamed(Renaming::Kind::preset, presets, panel))
      clipper.ForceDisplayRangeByIndices(*renamed, *renamed + 1);  // to scroll there
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        draw_preset(presets[static_cast<std::size_t>(i)], panel);
    }
    if (!panel.state.is_performing) draw_new_preset(panel);
  }
  end_panel();
}

}  // namespace submix::ui
