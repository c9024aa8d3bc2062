// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/editing.hpp"

#include "controller/model/edit/effect_clipboard.hpp"
#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/plugin_kinds.hpp"
#include "controller/model/edit/show_changes.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing_state.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace submix::ui {
namespace {

constexpr std::string_view kPatchPage = "patch";
constexpr std::string_view kStreamsPage = "streams";
constexpr std::string_view kPerformPage = "perform";

bool is_on(std::string_view page, const Panel& panel) {
  return panel.state.page_in_use() == page;
}

show::Port chosen_port(const Panel& panel) {
  return {panel.state.selected_submix, panel.state.editing->slot};
}

// Pages that show the chosen submix's slots.
bool shows_slots(const Panel& panel) {
  return is_on(kPatchPage, panel) || is_on(kPerformPage, panel) || is_on("", panel);
}

void copy(const std::vector<show::Slot>& effects, Panel& panel) {
  ImGui::SetClipboardText(model::text_of_effects(effects).c_str());
  const auto words =
      effects.size() == 1 ? effects.front().plugin : fmt::format("{} effects", effects.size());
  panel.actions.emplace_back(session::Say{
      Severity::note, "show", fmt::format("{} copied; Ctrl+V pastes into a layer", words)});
}

// The slots that the next edit makes become the chosen ones.
void choose_inserted(const show::Show& before, const show::Show& after, const std::string& submix,
                     Panel& panel) {
  for (const auto& slot : after.find_submix(submix)->slots) {
    if (before.find_slot({submix, slot.name}) == nullptr)
      panel.state.editing->wanted_slot = show::Port{submix, slot.name};
  }
}

}  // namespace

void go_back_to_good_show(Panel& panel) {
  edit_show(model::Edit(model::ReplaceShow{panel.view.good_show, "back to the last good show"}),
            Gesture::begin, panel);
}

void choose_once_there(bool is_there, std::string& wanted, std::string& chosen) {
  if (is_there && !wanted.empty()) chosen = std::exchange(wanted, {});
}

void insert_plugin(const std::string& plugin, const show::Port& above, Panel& panel) {
  const auto edit = model::insert_slot(*panel.view.show, plugins_of(panel), above, {plugin});
  if (!edit_show(edit, Gesture::none, panel)) return;
  auto after = *panel.view.show;
  if (model::apply(after, *edit)) choose_inserted(*panel.view.show, after, above.submix, panel);
}

void copy_effect(Panel& panel) {
  copy({*chosen_slot(panel)}, panel);
}

void copy_all_effects(Panel& panel) {
  const auto effects = model::effects_of(*chosen_submix(panel), plugins_of(panel));
  if (!effects.empty()) return copy(effects, panel);
  panel.actions.emplace_back(
      session::Say{Severity::warning, "show",
                   fmt::format("{} has no effects to copy", panel.state.selected_submix)});
}

void paste_effects(Panel& panel) {
  const auto& submix = *chosen_submix(panel);
  const auto* clipboard = ImGui::GetClipboardText();
  const auto effects = model::effects_in(clipboard == nullptr ? "" : clipboard);
  if (!effects) {
    panel.actions.emplace_back(session::Say{Severity::warning, "show", effects.error().message});
    return;
  }
  const bool is_behind_chosen = can_copy_effect(panel);
  const auto above = is_behind_chosen ? panel.state.editing->slot : last_picture_of(submix, panel);
  const auto edit =
      model::paste_effects(*panel.view.show, plugins_of(panel), {submix.name, above}, *effects);
  if (!edit_show(edit, Gesture::none, panel)) return;
  auto after = *panel.view.show;
  if (model::apply(after, *edit)) choose_inserted(*panel.view.show, after, submix.name, panel);
}

void choose_wanted_slot(Panel& panel) {
  auto& editing = *panel.state.editing;
  if (!editing.wanted_slot || panel.view.show == nullptr) return;
  if (panel.view.show->find_slot(*editing.wanted_slot) == nullptr) return;
  const auto wanted = *std::exchange(editing.wanted_slot, std::nullopt);
  if (wanted.submix == panel.state.selected_submix) editing.slot = wanted.slot;
}

bool accept_drop(const char* kind,
                 const std::function<Result<model::Edit>(const std::string&)>& change,
                 Panel& panel) {
  if (!ImGui::BeginDragDropTarget()) return false;
  const auto* payload = ImGui::AcceptDragDropPayload(
      kind, ImGuiDragDropFlags_AcceptBeforeDelivery | ImGuiDragDropFlags_AcceptNoDrawDefaultRect);
  if (payload != nullptr) {
    const auto edit = change(
        {static_cast<const char*>(payload->Data), static_cast<std::size_t>(payload->DataSize)});
    if (payload->IsDelivery()) {
      edit_show(edit, Gesture::none, panel);
    } else {
      ImGui::BeginTooltip();
      draw_plan(edit, panel.px(420), panel);
      ImGui::EndTooltip();
    }
  }
  ImGui::EndDragDropTarget();
  return payload != nullptr;
}

void offer_drag(const char* kind, const std::string& name, const std::string& words) {
  if (!ImGui::BeginDragDropSource()) return;
  ImGui::SetDragDropPayload(kind, name.data(), name.size());
  text(words);
  ImGui::EndDragDropSource();
}

// The button is still down: without an active widget it drags nothing more.
bool give_up_drag() {
  if (ImGui::GetDragDropPayload() == nullptr) return false;
  ImGui::ClearDragDrop();
  ImGui::ClearActiveID();
  return true;
}

const model::PluginMap& plugins_of(const Panel& panel) {
  static const model::PluginMap kNone;
  return panel.view.plugins == nullptr ? kNone : *panel.view.plugins;
}

std::string last_picture_of(const show::Submix& submix, const Panel& panel) {
  return model::last_picture_of(submix, plugins_of(panel));
}

const show::Submix* chosen_submix(const Panel& panel) {
  return panel.view.show == nullptr ? nullptr
                                    : panel.view.show->find_submix(panel.state.selected_submix);
}

const show::Slot* chosen_slot(const Panel& panel) {
  return panel.view.show == nullptr ? nullptr : panel.view.show->find_slot(chosen_port(panel));
}

bool can_edit_slot(const Panel& panel) {
  return is_on(kPatchPage, panel) && chosen_slot(panel) != nullptr;
}

bool can_copy_effect(const Panel& panel) {
  const auto* slot = shows_slots(panel) ? chosen_slot(panel) : nullptr;
  return slot != nullptr && model::is_filter(plugins_of(panel), slot->plugin);
}

bool can_paste_effects(const Panel& panel) {
  const auto* submix = shows_slots(panel) ? chosen_submix(panel) : nullptr;
  return submix != nullptr && !submix->slots.empty() && !panel.state.is_performing;
}

bool can_delete(const Panel& panel) {
  if (is_on(kStreamsPage, panel)) {
    return panel.view.show != nullptr && !panel.state.editing->is_bay_locked &&
           panel.view.show->find_stream(panel.state.selected_stream) != nullptr;
  }
  return can_edit_slot(panel);
}

void delete_chosen(Panel& panel) {
  if (is_on(kStreamsPage, panel)) {
    edit_show(model::delete_stream(*panel.view.show, panel.state.selected_stream), Gesture::none,
              panel);
  } else {
    edit_show(model::delete_slot(*panel.view.show, plugins_of(panel), chosen_port(panel)),
              Gesture::none, panel);
  }
}

void duplicate_chosen(Panel& panel) {
  edit_show(model::duplicate_slot(*panel.view.show, plugins_of(panel), chosen_port(panel)),
            Gesture::none, panel);
}

void solo_chosen(Panel& panel) {
  edit_show(model::solo_slot(*panel.view.show, plugins_of(panel), chosen_port(panel)),
            Gesture::none, panel);
}

void bypass_chosen(Panel& panel) {
  edit_show(model::Edit(model::SetBypass{chosen_port(panel), !chosen_slot(panel)->is_bypassed}),
            Gesture::none, panel);
}

void find_plugin_to_insert(Panel& panel) {
  panel.state.page = kPatchPage;
  auto& browser = panel.state.editing->browser;
  browser.query.clear();
  browser.replaced.clear();
  browser.wants_focus = true;
}

void find_plugin_to_replace(Panel& panel) {
  find_plugin_to_insert(panel);
  panel.state.editing->browser.replaced = panel.state.editing->slot;
}

}  // namespace submix::ui
