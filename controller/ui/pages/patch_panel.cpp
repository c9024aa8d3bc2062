// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/validate.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/parameter_row.hpp"
#include "controller/ui/pages/overview_panels.hpp"
#include "controller/ui/panel.hpp"

#include <algorithm>

namespace submix::ui {
namespace {

// "1.2 ms": half of the plugin's frames took longer. A tooltip shows the extremes.
void draw_frame_time(const show::Port& port, Panel& panel) {
  const auto* submix = panel.view.find_submix(port.submix);
  const auto* stage = submix == nullptr ? nullptr : submix->find_stage(port.slot);
  if (stage == nullptr || stage->frame_time.max.count() == 0) return;
  const auto& [p50, p99, max] = stage->frame_time;
  text(milliseconds_text(p50), color::kFaint);
  tooltip(fmt::format("computed for a frame: p50 {}, p99 {}, max {}", milliseconds_text(p50),
                      milliseconds_text(p99), milliseconds_text(max)));
}

constexpr float kHelpersWidth = 76;

void draw_helpers(const show::Port& port, const show::Slot& slot, Panel& panel) {
  int helpers = slot.helpers;
  ImGui::SetNextItemWidth(panel.px(kHelpersWidth));
  const bool has_changed =
      ImGui::InputInt("##helpers", &helpers, 1, 1, ImGuiInputTextFlags_EnterReturnsTrue);
  tooltip("Helpers: how many instances of the plugin share its frames, each on its own thread");
  if (has_changed && helpers != slot.helpers)
    edit_show(model::Edit(model::SetHelpers{port, helpers}), Gesture::none, panel);
}

// Also if the show has helpers that the plugin may not have, so that they can be removed.
bool may_have_helpers(const show::Slot& slot, const cluster::PluginSummary* plugin) {
  return slot.helpers > 1 || slot.is_stateless ||
         (plugin != nullptr && (plugin->kind == "filter" || plugin->kind.starts_with("mixer")) &&
          plugin->memory != "frames");
}

void draw_slot_head(const show::Port& port, const show::Slot& slot, Panel& panel) {
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  const auto* plugin = panel.view.find_plugin(slot.plugin);
  const bool has_helpers = may_have_helpers(slot, plugin);
  const float width =
      width_of("bypass") + ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x;
  const float switches = width + (has_helpers ? panel.px(kHelpersWidth) + spacing : 0.0F);
  // The text at the left is cut, since a cut switch would be unreadable.
  const float room = std::max(0.0F, ImGui::GetContentRegionAvail().x - switches - spacing);
  const float begin = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  ImGui::PushFont(panel.fonts.strong);
  text_cut(slot.name, room, slot.is_bypassed ? color::kFaint : color::kText);
  ImGui::PopFont();
  ImGui::SameLine();
  const float left = room - (ImGui::GetCursorPosX() - begin);
  if (left > width_of("...")) text_cut(slot.plugin, left, color::kDim);
  if (plugin != nullptr) tooltip(plugin->explanation);
  ImGui::SameLine();
  if (room - (ImGui::GetCursorPosX() - begin) > width_of("0000.0 ms")) draw_frame_time(port, panel);
  panel_title_right(switches);
  if (has_helpers) {
    draw_helpers(port, slot, panel);
    ImGui::SameLine();
  }
  bool is_bypassed = slot.is_bypassed;
  if (ImGui::Checkbox("bypass", &is_bypassed)) {
    edit_show(model::Edit(model::SetBypass{port, is_bypassed}), Gesture::none, panel);
  }
}

void draw_slot(const std::string& submix, const show::Slot& slot, Panel& panel) {
  const show::Port port{submix, slot.name};
  ImGui::PushID(slot.name.c_str());
  rule();
  draw_slot_head(port, slot, panel);
  draw_parameters(port, slot, panel);
  ImGui::PopID();
}

void draw_submix_choice(Panel& panel) {
  panel_title_right(panel.px(150));
  ImGui::SetNextItemWidth(panel.px(150));
  if (!begin_combo("##submix", panel.state.selected_submix.c_str(), panel)) return;
  for (const auto& submix : panel.view.submixes) {
    if (ImGui::Selectable(submix.name.c_str(), submix.name == panel.state.selected_submix)) {
      panel.state.selected_submix = submix.name;
    }
  }
  end_combo();
}

}  // namespace

void draw_patch_panel(Panel& panel) {
  if (begin_panel("Patch", panel.fonts)) {
    draw_submix_choice(panel);
    const auto* submix = panel.view.show == nullptr
                             ? nullptr
                             : panel.view.show->find_submix(panel.state.selected_submix);
    if (submix == nullptr) {
      text("Choose a submix to see its slots.", color::kDim);
    } else {
      for (const auto& slot : submix->slots)
        draw_slot(submix->name, slot, panel);
    }
  }
  end_panel();
}

}  // namespace submix::ui
