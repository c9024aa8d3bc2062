// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/effects_panel.hpp"

#include "common/show/lookup.hpp"
#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/plugin_kinds.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/edits/parameter_row.hpp"
#include "controller/ui/pages/effect_choice.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::ui {
namespace {

bool is_output(const show::Slot& slot, const Panel& panel) {
  return model::is_output(plugins_of(panel), slot.plugin);
}

// A source is no effect, but its parameters belong here, too.
bool is_shown(const show::Slot& slot, const Panel& panel) {
  return !is_output(slot, panel) && slot.plugin != show::kStreamInPlugin;
}

void draw_paste_menu(Panel& panel) {
  const FingerRows rows(panel);
  if (!ImGui::BeginPopupContextItem("paste effects")) return;
  if (ImGui::Selectable("Paste effects (Ctrl+V)")) paste_effects(panel);
  ImGui::EndPopup();
}

void draw_new_effect(const show::Submix& submix, Panel& panel) {
  if (ImGui::Button("+ Effect", ImVec2(-1, 0))) ImGui::OpenPopup("new effect");
  tooltip("A right click pastes copied effects");
  draw_paste_menu(panel);
  if (!ImGui::BeginPopup("new effect")) return;
  const show::Port input{submix.name, last_picture_of(submix, panel)};
  if (const auto plugin = draw_effect_choice(input, panel)) {
    insert_plugin(*plugin, input, panel);
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

// The slot that `slot` has to follow to change places with the effect before or behind it. Empty:
// there is none.
std::optional<std::string> above_after_move(const show::Submix& submix, const show::Slot& slot,
                                            int by, const Panel& panel) {
  const auto at = static_cast<std::size_t>(&slot - submix.slots.data());
  const auto& slots = submix.slots;
  if (by < 0 ? at < 2 : at + 1 >= slots.size()) return std::nullopt;
  const auto& neighbour = slots[by < 0 ? at - 1 : at + 1];
  if (!model::is_filter(plugins_of(panel), neighbour.plugin)) return std::nullopt;
  return by < 0 ? slots[at - 2].name : neighbour.name;
}

void draw_move(const show::Submix& submix, const show::Slot& slot, const char* words, int by,
               Panel& panel) {
  const auto above = above_after_move(submix, slot, by, panel);
  if (!above || !ImGui::Selectable(words)) return;
  edit_show(model::move_slot(*panel.view.show, plugins_of(panel), {submix.name, slot.name}, *above),
            Gesture::none, panel);
}

void draw_effect_menu(const show::Submix& submix, const show::Slot& slot, Panel& panel) {
  const bool is_fixed =
      panel.state.is_performing || !model::is_filter(plugins_of(panel), slot.plugin);
  const FingerRows rows(panel);
  if (is_fixed || !ImGui::BeginPopupContextItem("effect menu")) return;
  draw_move(submix, slot, "Earlier", -1, panel);
  draw_move(submix, slot, "Later", 1, panel);
  rule();
  panel.state.editing->slot = slot.name;
  if (ImGui::Selectable("Copy the effect (Ctrl+C)")) copy_effect(panel);
  if (ImGui::Selectable("Copy all effects (Ctrl+Shift+C)")) copy_all_effects(panel);
  if (ImGui::Selectable("Paste behind it (Ctrl+V)")) paste_effects(panel);
  rule();
  if (ImGui::Selectable("Delete the effect")) {
    edit_show(model::delete_slot(*panel.view.show, plugins_of(panel), {submix.name, slot.name}),
              Gesture::none, panel);
  }
  ImGui::EndPopup();
}

void draw_effect(const show::Submix& submix, const show::Slot& slot, Panel& panel) {
  ImGui::PushID(slot.name.c_str());
  const bool is_filter = model::is_filter(plugins_of(panel), slot.plugin);
  const float button = width_of("off") + 2 * ImGui::GetStyle().FramePadding.x;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::BeginDisabled(!is_filter);
  const bool is_on = !slot.is_bypassed;
  if (lit_button(is_on ? "on###on" : "off###on", is_on && is_filter, ImVec2(button, 0)))
    edit_show(model::Edit(model::SetBypass{{submix.name, slot.name}, is_on}), Gesture::begin,
              panel);
  ImGui::EndDisabled();
  ImGui::SameLine(0, gap);
  auto& chosen = panel.state.editing->slot;
  const auto label = title_of(slot.plugin);
  const ImVec2 size(0, ImGui::GetFrameHeight());
  if (ImGui::Selectable(label.c_str(), slot.name == chosen, ImGuiSelectableFlags_None, size))
    chosen = slot.name;
  draw_effect_menu(submix, slot, panel);
  tooltip_of([&] {
    return fmt::format(
        "{} ({}){}", slot.name, slot.plugin,
        panel.state.is_performing || !is_filter ? "" : "; a right click moves or deletes it");
  });
  ImGui::PopID();
}

}  // namespace

void draw_effects_panel(Panel& panel) {
  if (begin_panel("Effects", panel.fonts)) {
    choose_wanted_slot(panel);
    const auto* submix = chosen_submix(panel);
    if (submix == nullptr) {
      text("Press a layer's picture.", color::kDim);
    } else {
      panel_title_right(width_of(submix->name));
      text(submix->name, color::kDim);
      for (const auto& slot : submix->slots) {
        if (is_shown(slot, panel)) draw_effect(*submix, slot, panel);
      }
      if (!panel.state.is_performing && !submix->slots.empty()) draw_new_effect(*submix, panel);
      const auto* slot = show::item_named(submix->slots, panel.state.editing->slot);
      if (slot != nullptr && is_shown(*slot, panel)) {
        rule();
        draw_parameters({submix->name, slot->name}, *slot, panel);
      }
    }
  }
  end_panel();
}

}  // namespace submix::ui
