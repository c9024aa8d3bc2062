// SPDX-License-Identifier: GPL-3.0-or-later
// The chosen slot: its name, its inputs, and the commands for it.
#include "common/show/text.hpp"
#include "common/show/validate.hpp"
#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/plugin_kinds.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"

#include <imgui_stdlib.h>

#include <algorithm>

namespace submix::ui {
namespace {

void draw_name(const show::Port& port, Panel& panel) {
  const auto id = "name of " + show::to_string(port);
  auto typed = panel.state.texts.try_emplace(id, port.slot).first;
  ImGui::SetNextItemWidth(panel.px(180));
  const bool is_entered =
      ImGui::InputText("name", &typed->second, ImGuiInputTextFlags_EnterReturnsTrue);
  if (is_entered && typed->second != port.slot)
    edit_show(model::rename_slot(*panel.view.show, port, typed->second), Gesture::none, panel);
  if (!ImGui::IsItemActive()) panel.state.texts.erase(typed);
}

// The present input, even if the show does not state it.
show::Input present_input(const show::Submix& submix, const show::Slot& slot, std::size_t index) {
  if (slot.inputs && index < slot.inputs->size()) {
    if (auto input = show::parse_input((*slot.inputs)[index])) return *std::move(input);
  }
  const auto place = static_cast<std::size_t>(&slot - submix.slots.data());
  return {place == 0 || slot.inputs ? "" : submix.slots[place - 1].name, 0};
}

void draw_input(const show::Submix& submix, const show::Slot& slot, std::size_t index,
                Panel& panel) {
  const show::Port port{submix.name, slot.name};
  const auto input = present_input(submix, slot, index);
  const auto connect = [&](const show::Input& wanted) {
    edit_show(model::connect_input(*panel.view.show, plugins_of(panel), port, index, wanted),
              Gesture::none, panel);
  };
  ImGui::PushID(static_cast<int>(index));
  ImGui::SetNextItemWidth(panel.px(180));
  if (begin_combo("##input", input.slot.c_str(), panel)) {
    for (const auto& other : submix.slots) {
      const bool is_chosen = other.name == input.slot;
      if (ImGui::Selectable(other.name.c_str(), is_chosen) && !is_chosen)
        connect({other.name, input.delay});
    }
    end_combo();
  }
  ImGui::SameLine();
  text(fmt::format("input {}", index + 1), color::kDim);
  if (index > 0) {  // the first input numbers the frames
    ImGui::SameLine();
    int delay = static_cast<int>(input.delay);
    ImGui::SetNextItemWidth(panel.px(96));
    if (ImGui::InputInt("frames late", &delay, 1, 10, ImGuiInputTextFlags_EnterReturnsTrue))
      connect({input.slot,
               static_cast<std::size_t>(std::clamp(delay, 0, static_cast<int>(show::kDelayMax)))});
  }
  ImGui::PopID();
}

// A mixer with any number of inputs has one row more, to connect the next input.
void draw_inputs(const show::Submix& submix, const show::Slot& slot, show::InputCount count,
                 Panel& panel) {
  const auto stated = slot.inputs ? slot.inputs->size() : 0;
  const auto rows =
      count.is_fixed() ? count.most : std::min(std::max(stated + 1, count.least), count.most);
  for (std::size_t i = 0; i < rows; ++i) {
    draw_input(submix, slot, i, panel);
    if (count.is_fixed() || i >= stated || stated <= count.least) continue;
    ImGui::SameLine();
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::SmallButton("x"))
      edit_show(
          model::disconnect_input(*panel.view.show, plugins_of(panel), {submix.name, slot.name}, i),
          Gesture::none, panel);
    ImGui::PopID();
    tooltip("Remove this input; the inputs below move up");
  }
}

void draw_deeds(const show::Slot& slot, Panel& panel) {
  if (ImGui::Button("Duplicate")) duplicate_chosen(panel);
  ImGui::SameLine();
  if (ImGui::Button("Delete")) delete_chosen(panel);
  ImGui::SameLine();
  if (ImGui::Button("Replace the plugin ...")) find_plugin_to_replace(panel);
  tooltip(fmt::format("Choose a plugin to replace {}; parameters that both have keep their values",
                      slot.plugin));
}

}  // namespace

void draw_slot_panel(Panel& panel) {
  if (begin_panel("Chosen slot", panel.fonts)) {
    const auto* submix = chosen_submix(panel);
    const auto* slot = chosen_slot(panel);
    if (slot == nullptr) {
      text("Choose a slot.", color::kDim);
    } else {
      const show::Port port{submix->name, slot->name};
      const auto count = model::input_count(*panel.view.show, plugins_of(panel), slot->plugin);
      draw_name(port, panel);
      draw_inputs(*submix, *slot, count.value_or(slot->inputs ? slot->inputs->size() : 0), panel);
      draw_deeds(*slot, panel);
    }
  }
  end_panel();
}

}  // namespace submix::ui
