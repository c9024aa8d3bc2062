// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/show_menu.hpp"

#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/frame_text.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/edits/show_files.hpp"
#include "controller/ui/panel.hpp"
#include "controller/ui/shell/commands.hpp"
#include "controller/ui/shell/nearby_button.hpp"

#include <algorithm>
#include <string>

namespace submix::ui {
namespace {

// "1280 x 720 at 30 fps · duo.toml, not saved"
FrameText small_print(const Panel& panel) {
  const auto& view = panel.view;
  const auto& show = *view.show;
  const auto rate = show.rate.frames_per_second();
  const auto& dot = panel.fonts.dot;
  if (view.file.path.empty())
    return FrameText("{} x {} at {:.4g} fps {} revision {}", show.size.width, show.size.height,
                     rate, dot, view.show_revision);
  const char* state = view.file.is_saving ? ", saving" : view.file.is_modified ? ", not saved" : "";
  return FrameText("{} x {} at {:.4g} fps {} {}{}", show.size.width, show.size.height, rate, dot,
                   file_name_of(view.file.path), state);
}

void draw_name(float width, const Panel& panel) {
  const auto& view = panel.view;
  if (view.show == nullptr) {
    const bool is_broken = !view.show_error.empty();
    text_in(panel.fonts.strong, is_broken ? "The desired show cannot be read" : "No show",
            is_broken ? color::kBad : color::kDim);
    return;
  }
  ImGui::PushFont(panel.fonts.strong);
  text_cut(view.show->name.empty() ? "Unnamed show" : view.show->name, width);
  ImGui::PopFont();
  ImGui::PushFont(panel.fonts.small);
  text_cut(small_print(panel), width, color::kDim);
  ImGui::PopFont();
}

void explain(const Panel& panel) {
  const auto& view = panel.view;
  if (!view.show_error.empty()) return tooltip(view.show_error);
  if (!ImGui::IsItemHovered()) return;
  const auto where =
      view.file.path.empty() ? std::string("in no file of this controller") : view.file.path;
  tip("{}\nrevision {}, last written by {}\nPress for new, open and save", where,
      view.show_revision, view.show_author.empty() ? "nobody" : view.show_author);
}

void draw_command(std::string_view title, Panel& panel) {
  const auto* command = std::ranges::find(commands(), title, &Command::title).base();
  const bool is_possible = command->is_possible == nullptr || command->is_possible(panel);
  if (ImGui::MenuItem(std::string(command->title).c_str(), keys_text(command->keys[0]).c_str(),
                      false, is_possible))
    execute(*command, panel);
}

void draw_recent(Panel& panel) {
  for (const auto& path : panel.state.files->recent) {
    if (ImGui::MenuItem(file_name_of(path).c_str()))
      panel.actions.emplace_back(session::OpenShow{path});
    tooltip(path);
  }
}

// Another PC can be met, as the menu says.
void draw_sign(ImVec2 right_top, const Panel& panel) {
  if (!is_nearby_new(panel)) return;
  const float radius = panel.px(4);
  ImGui::GetWindowDrawList()->AddCircleFilled(
      ImVec2(right_top.x - 2 * radius, right_top.y + 2 * radius), radius, color::kAccent);
}

void draw_menu(Panel& panel) {
  const FingerRows rows(panel);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(panel.px(10), panel.px(8)));
  if (ImGui::BeginPopup("show menu")) {
    draw_nearby_item(panel);
    for (const auto& command : commands()) {
      if (command.group == "Show") draw_command(command.title, panel);
    }
    if (!panel.state.files->recent.empty()) {
      ImGui::Separator();
      draw_recent(panel);
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace

void remember_file(const std::string& path, std::vector<std::string>& recent) {
  if (path.empty() || (!recent.empty() && recent.front() == path)) return;
  std::erase(recent, path);
  recent.insert(recent.begin(), path);
  recent.resize(std::min(recent.size(), kRecentMax));
}

void draw_show_menu(float width, Panel& panel) {
  const auto corner = ImGui::GetCursorPos();
  const ImVec2 size(width, ImGui::GetWindowHeight() - 2 * corner.y);
  if (ImGui::InvisibleButton("show", size)) ImGui::OpenPopup("show menu");
  const bool is_hovered = ImGui::IsItemHovered();
  explain(panel);
  if (is_hovered)
    ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                              color::kCard);
  draw_sign(ImVec2(ImGui::GetItemRectMax().x, ImGui::GetItemRectMin().y), panel);
  ImGui::SetCursorPos(ImVec2(corner.x + panel.px(8), corner.y));
  ImGui::BeginGroup();
  draw_name(width - panel.px(10), panel);
  ImGui::EndGroup();
  draw_menu(panel);
}

}  // namespace submix::ui
