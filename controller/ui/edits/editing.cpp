// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/editing.hpp"

#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/plugin_kinds.hpp"
#include "controller/model/edit/show_changes.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing_state.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace submix::ui {
namespace {

constexpr std::string_view kPatchPage = "patch";
constexpr std::string_view kStreamsPage = "streams";

bool is_on(std::string_view page, const Panel& panel) {
  return panel.state.page == page;
}

show::Port chosen_port(const Panel& panel) {
  return {panel.state.selected_submix, panel.state.editing->slot};
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
  if (!model::apply(after, *edit)) return;
  for (const auto& slot : after.find_submix(above.submix)->slots) {
    if (panel.view.show->find_slot({above.submix, slot.name}) == nullptr)
      panel.state.editing->wanted_slot = show::Port{above.submix, slot.name};
  }
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

const model::PluginMap& plugins_of(const Panel& panel) {
  static const model::PluginMap kNone;
  return panel.view.plugins == nullptr ? kNone : *panel.view.plugins;
}

std::string last_picture_of(const show::Submix& submix, const Panel& panel) {
  const auto& plugins = plugins_of(panel);
  const auto makes_picture = [&](const show::Slot& slot) {
    return !model::is_output(plugins, slot.plugin);
  };
  const auto found = std::find_if(submix.slots.rbegin(), submix.slots.rend(), makes_picture);
  return found == submix.slots.rend() ? submix.slots.back().name : found->name;
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
