// SPDX-License-Identifier: GPL-3.0-or-later
// The slots of the chosen submix, which can be reordered by hand.
#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/plugin_kinds.hpp"
#include "controller/model/edit/show_changes.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace submix::ui {
namespace {

constexpr float kRowHeight = 40;
constexpr float kSwitchWidth = 58;

// Returns the typed text when Enter is pressed.
bool draw_field(const char* id, const char* hint, std::string& typed, Panel& panel) {
  ImGui::SetNextItemWidth(panel.px(220));
  return ImGui::InputTextWithHint(id, hint, &typed, ImGuiInputTextFlags_EnterReturnsTrue) &&
         !typed.empty();
}

void draw_submix_menu(Panel& panel) {
  auto& chosen = panel.state.selected_submix;
  const float width = panel.px(150);
  panel_title_right(width);
  ImGui::SetNextItemWidth(width);
  if (!begin_combo("##submix", chosen.c_str(), panel, ImGuiComboFlags_HeightLargest)) return;
  for (const auto& submix : panel.view.submixes) {
    if (ImGui::Selectable(submix.name.c_str(), submix.name == chosen)) chosen = submix.name;
  }
  rule();
  auto& renamed = panel.state.texts["rename submix"];
  auto& added = panel.state.texts["add submix"];
  if (draw_field("##rename", "rename it, and Enter", renamed, panel)) {
    edit_show(model::rename_submix(*panel.view.show, chosen, renamed), Gesture::none, panel);
    renamed.clear();
    ImGui::CloseCurrentPopup();
  }
  if (draw_field("##add", "name of a new one, and Enter", added, panel)) {
    if (edit_show(model::add_submix(*panel.view.show, {added, {}}), Gesture::none, panel))
      panel.state.editing->wanted_submix = added;
    added.clear();
    ImGui::CloseCurrentPopup();
  }
  if (ImGui::Selectable(fmt::format("Delete {}", chosen).c_str()))
    edit_show(model::delete_submix(*panel.view.show, chosen), Gesture::none, panel);
  end_combo();
}

// A button that stays pressed.
bool draw_switch(const char* word, bool is_on, ImU32 paint, Panel& panel) {
  ImGui::PushStyleColor(ImGuiCol_Button, is_on ? paint : color::kTrack);
  ImGui::PushStyleColor(ImGuiCol_Text, is_on ? color::kOnBright : color::kDim);
  const bool is_pressed = ImGui::Button(word, ImVec2(panel.px(kSwitchWidth), panel.px(24)));
  ImGui::PopStyleColor(2);
  return is_pressed;
}

std::string words_of_inputs(const show::Slot& slot, std::size_t count) {
  if (slot.inputs && !slot.inputs->empty())
    return fmt::format("reads {}", fmt::join(*slot.inputs, ", "));
  return count == 0 ? "reads nothing" : "reads the slot above";
}

void draw_words(const show::Slot& slot, Panel& panel) {
  const auto corner = ImGui::GetItemRectMin();
  const float room = ImGui::GetItemRectSize().x - panel.px(2 * kSwitchWidth + 40);
  ImGui::SetCursorScreenPos(ImVec2(corner.x + panel.px(10), corner.y + panel.px(3)));
  text_in(panel.fonts.strong, slot.name, slot.is_bypassed ? color::kFaint : color::kText);
  ImGui::SameLine();
  text_cut(slot.plugin, room - width_of(slot.name), color::kDim);
  const auto count = model::input_count(*panel.view.show, plugins_of(panel), slot.plugin);
  ImGui::SetCursorScreenPos(ImVec2(corner.x + panel.px(10), corner.y + panel.px(21)));
  ImGui::PushFont(panel.fonts.small);
  text_cut(words_of_inputs(slot, count.value_or(1).most), room, color::kFaint);
  ImGui::PopFont();
}

void draw_switches(const show::Port& port, const show::Slot& slot, ImVec2 corner, float right,
                   Panel& panel) {
  const auto& plugins = plugins_of(panel);
  const float y = corner.y + panel.px((kRowHeight - 24) / 2);
  const float step = panel.px(kSwitchWidth + 6);
  ImGui::SetCursorScreenPos(ImVec2(right - 2 * step, y));
  const bool is_filter = model::is_filter(plugins, slot.plugin);
  ImGui::BeginDisabled(!is_filter);
  if (draw_switch("solo", is_filter && model::is_solo(*panel.view.show, plugins, port),
                  color::kAccent, panel))
    edit_show(model::solo_slot(*panel.view.show, plugins, port), Gesture::none, panel);
  ImGui::EndDisabled();
  tooltip("Bypasses all other filters of this submix, for everybody; press again to end it");
  ImGui::SetCursorScreenPos(ImVec2(right - step, y));
  if (draw_switch("bypass", slot.is_bypassed, color::kWarning, panel))
    edit_show(model::Edit(model::SetBypass{port, !slot.is_bypassed}), Gesture::none, panel);
}

// Where a dropped slot would be inserted.
void draw_insertion_line(ImVec2 corner, ImVec2 end, bool is_below, Panel& panel) {
  const float y = is_below ? end.y : corner.y;
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(corner.x, y - panel.px(1.5F)),
                                            ImVec2(end.x, y + panel.px(1.5F)), color::kAccent);
}

void accept_slots(const show::Submix& submix, std::size_t i, Panel& panel) {
  const auto corner = ImGui::GetItemRectMin();
  const auto end = ImGui::GetItemRectMax();
  const bool is_below = ImGui::GetMousePos().y > (corner.y + end.y) / 2;
  const std::string above = is_below ? submix.slots[i].name
                            : i == 0 ? ""
                                     : submix.slots[i - 1].name;
  const auto& show = *panel.view.show;
  const auto& plugins = plugins_of(panel);
  const bool is_slot = accept_drop(
      kSlotPayload,
      [&](const std::string& moved) {
        return model::move_slot(show, plugins, {submix.name, moved}, above);
      },
      panel);
  const bool is_plugin = accept_drop(
      kPluginPayload,
      [&](const std::string& plugin) {
        return model::insert_slot(show, plugins, {submix.name, above}, {plugin});
      },
      panel);
  if (is_slot || is_plugin) draw_insertion_line(corner, end, is_below, panel);
}

void draw_slot_row(const show::Submix& submix, std::size_t i, Panel& panel) {
  const auto& slot = submix.slots[i];
  const show::Port port{submix.name, slot.name};
  auto& chosen = panel.state.editing->slot;
  ImGui::PushID(slot.name.c_str());
  const auto place = ImGui::GetCursorScreenPos();
  const float height = panel.px(kRowHeight);
  if (ImGui::Selectable("##slot", slot.name == chosen, ImGuiSelectableFlags_AllowItemOverlap,
                        ImVec2(0, height))) {
    chosen = slot.name;
    panel.state.picture = {submix.name, slot.name};
  }
  if (ImGui::IsItemVisible()) {
    const float right = ImGui::GetItemRectMax().x;
    offer_drag(kSlotPayload, slot.name, fmt::format("move {} ...", slot.name));
    accept_slots(submix, i, panel);
    draw_words(slot, panel);
    draw_switches(port, slot, place, right, panel);
  }
  ImGui::SetCursorScreenPos(ImVec2(place.x, place.y + height + ImGui::GetStyle().ItemSpacing.y));
  ImGui::PopID();
}

}  // namespace

void draw_slots_panel(Panel& panel) {
  if (begin_panel("Slots", panel.fonts)) {
    draw_submix_menu(panel);
    const auto* submix = chosen_submix(panel);
    choose_wanted_slot(panel);
    if (submix != nullptr && chosen_slot(panel) == nullptr)
      panel.state.editing->slot = last_picture_of(*submix, panel);
    for (std::size_t i = 0; submix != nullptr && i < submix->slots.size(); ++i)
      draw_slot_row(*submix, i, panel);
    text("Drag to put them in order.", color::kFaint);
  }
  end_panel();
}

}  // namespace submix::ui
