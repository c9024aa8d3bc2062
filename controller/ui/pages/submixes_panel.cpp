// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/pages/overview_panels.hpp"
#include "controller/ui/panel.hpp"

namespace submix::ui {
namespace {

void draw_assignment(const model::SubmixView& submix, Panel& panel) {
  ImGui::SetNextItemWidth(-1);
  const char* shown = submix.node.empty() ? "nobody" : submix.node.c_str();
  if (!begin_combo("##node", shown, panel)) return;
  const auto choice = [&](const std::string& node, const char* label) {
    if (ImGui::Selectable(label, node == submix.node) && node != submix.node)
      edit_show(model::Edit(model::AssignSubmix{submix.name, node}), Gesture::none, panel);
  };
  for (const auto& node : panel.view.nodes)
    choice(node.name, node.name.c_str());
  choice("", "nobody");
  end_combo();
}

void draw_name(const model::SubmixView& submix, Panel& panel) {
  const bool is_selected = panel.state.selected_submix == submix.name;
  const float room = ImGui::GetContentRegionAvail().x;
  ImGui::AlignTextToFramePadding();
  const auto corner = ImGui::GetCursorPos();
  if (ImGui::Selectable("##name", is_selected)) {
    panel.state.selected_submix = submix.name;
    panel.state.picture = {submix.name, {}};
  }
  if (ImGui::BeginDragDropSource()) {
    ImGui::SetDragDropPayload(kSubmixPayload, submix.name.data(), submix.name.size());
    text(fmt::format("run {} on ...", submix.name));
    ImGui::EndDragDropSource();
  }
  tooltip("Drag it onto a node to run it there");
  ImGui::SetCursorPos(corner);
  ImGui::AlignTextToFramePadding();
  text_cut(submix.name, room);
}

void draw_row(const model::SubmixView& submix, Panel& panel) {
  ImGui::PushID(submix.name.c_str());
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  draw_name(submix, panel);
  ImGui::TableNextColumn();
  draw_assignment(submix, panel);
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  badge(to_string(submix.state), color_of(submix.state));
  tooltip(submix.error);
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  text_right(rate_text(submix.fps),
             submix.state == model::SubmixState::running ? color::kText : color::kFaint);
  ImGui::PopID();
}

void draw_errors(Panel& panel) {
  ImGui::PushTextWrapPos(0);
  for (const auto& submix : panel.view.submixes) {
    if (!submix.error.empty()) text(fmt::format("{}: {}", submix.name, submix.error), color::kBad);
  }
  ImGui::PopTextWrapPos();
}

}  // namespace

void draw_submixes_panel(Panel& panel) {
  if (begin_panel("Submixes", panel.fonts)) {
    const char* hint = "fps";
    panel_title_right(width_of(hint));
    text(hint, color::kDim);
    if (ImGui::BeginTable("submixes", 4)) {
      ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 0.8F);
      ImGui::TableSetupColumn("node", ImGuiTableColumnFlags_WidthStretch, 1.0F);
      ImGui::TableSetupColumn("state", ImGuiTableColumnFlags_WidthFixed, panel.px(82));
      ImGui::TableSetupColumn("fps", ImGuiTableColumnFlags_WidthFixed, panel.px(40));
      const auto& submixes = panel.view.submixes;
      ImGuiListClipper seen;
      seen.Begin(static_cast<int>(submixes.size()));
      while (seen.Step()) {
        for (int i = seen.DisplayStart; i < seen.DisplayEnd; ++i)
          draw_row(submixes[static_cast<std::size_t>(i)], panel);
      }
      ImGui::EndTable();
    }
    if (panel.view.submixes.empty()) text("No show yet: submix apply FILE", color::kDim);
    draw_errors(panel);
  }
  end_panel();
}

}  // namespace submix::ui
