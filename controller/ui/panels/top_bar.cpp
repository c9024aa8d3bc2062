// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/format.hpp"
#include "controller/ui/panels.hpp"
#include "controller/ui/widgets.hpp"

#include <cmath>

namespace submix::ui {
namespace {

bool colored_button(const char* label, ImU32 back, ImU32 front, ImVec2 size) {
  ImGui::PushStyleColor(ImGuiCol_Button, back);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, with_alpha(back, 0.85F));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, with_alpha(back, 0.7F));
  ImGui::PushStyleColor(ImGuiCol_Text, front);
  const bool is_pressed = ImGui::Button(label, size);
  ImGui::PopStyleColor(4);
  return is_pressed;
}

void draw_show_name(Panel& panel) {
  const auto& view = panel.view;
  if (view.show == nullptr) {
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + panel.px(9));
    text_in(panel.fonts.strong, view.show_error.empty() ? "No show" : "The desired show cannot be read",
            view.show_error.empty() ? color::kDim : color::kBad);
    if (!view.show_error.empty()) tooltip(view.show_error);
    return;
  }
  const auto& show = *view.show;
  ImGui::BeginGroup();
  text_in(panel.fonts.strong, show.name.empty() ? "Unnamed show" : show.name);
  ImGui::PushFont(panel.fonts.small);
  text(fmt::format("{} x {} at {:.4g} fps {} revision {}", show.size.width, show.size.height,
                   show.rate.frames_per_second(), panel.fonts.dot, view.show_revision),
       color::kDim);
  ImGui::PopFont();
  ImGui::EndGroup();
  if (!view.show_author.empty()) tooltip("Last written by " + view.show_author);
}

void draw_transport(Panel& panel, float height) {
  const bool is_paused = panel.view.transport.is_paused;
  const ImVec2 wide(panel.px(112), height);
  if (is_paused) {
    if (colored_button("RESUME", color::kWarning, color::kOnBright, wide)) {
      panel.actions.push_back(session::SetPaused{false});
    }
  } else if (colored_button("PAUSE", color::kTrack, color::kText, wide)) {
    panel.actions.push_back(session::SetPaused{true});
  }
  tooltip(is_paused ? "Run on from the frame that stands (Space)" : "Stop on the frame that stands (Space)");
  ImGui::SameLine();
  const ImU32 back = is_paused ? color::kTrack : color::kPanel;
  const ImU32 front = is_paused ? color::kText : color::kFaint;
  if (colored_button("STEP", back, front, ImVec2(panel.px(72), height)) && is_paused) {
    panel.actions.push_back(session::Step{});
  }
  tooltip(is_paused ? "Render exactly one frame (Shift+Space)" : "One frame at a time, while paused");
}

void draw_history(Panel& panel, float height) {
  const auto& edit = panel.view.edit;
  const auto button = [&](const char* label, const std::string& title, const char* keys) {
    const ImU32 front = title.empty() ? color::kFaint : color::kText;
    const bool is_pressed = colored_button(label, color::kPanel, front, ImVec2(panel.px(64), height));
    tooltip(title.empty() ? fmt::format("Nothing to do ({})", keys) : fmt::format("{} ({})", title, keys));
    return is_pressed && !title.empty();
  };
  if (button("Undo", edit.undo_title, "Ctrl+Z")) panel.actions.push_back(session::Undo{});
  ImGui::SameLine(0, panel.px(4));
  if (button("Redo", edit.redo_title, "Ctrl+Y")) panel.actions.push_back(session::Redo{});
}

// "29.9 / 30 fps", large; the words below say why it may not move.
void draw_master_rate(Panel& panel, float right) {
  const auto& view = panel.view;
  if (view.show == nullptr) return;
  const double target = view.show->rate.frames_per_second();
  const bool is_slow = !view.transport.is_paused && view.master_fps < target * 0.97;
  const auto figure = rate_text(view.master_fps);
  const auto unit = fmt::format(" / {:.4g} fps", target);
  ImGui::PushFont(panel.fonts.large);
  const float figure_width = width_of(figure);
  ImGui::PopFont();
  const float unit_width = width_of(unit);
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosX(right - figure_width - unit_width);
  text_in(panel.fonts.large, figure, is_slow ? color::kWarning : color::kText);
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosY(y + panel.px(8));
  text(unit, color::kDim);
}

std::string state_words(const model::ClusterView& view) {
  if (view.connection == model::Connection::connecting) return "looking for NATS";
  if (view.connection == model::Connection::lost) return "NATS lost";
  return view.transport.is_paused ? "PAUSED" : "connected";
}

ImU32 state_color(const model::ClusterView& view) {
  if (view.connection == model::Connection::connecting) return color::kDim;
  if (view.connection == model::Connection::lost) return color::kBad;
  return view.transport.is_paused ? color::kWarning : color::kGood;
}

}  // namespace

void draw_top_bar(Panel& panel) {
  const float pad = panel.px(14);
  const float height = panel.px(36);
  const float width = ImGui::GetWindowWidth();
  const float top = std::round((ImGui::GetWindowHeight() - height) / 2);
  const float center = width / 2;
  ImGui::SetCursorPos(ImVec2(pad, top - panel.px(1)));
  draw_show_name(panel);
  ImGui::SetCursorPos(ImVec2(center - panel.px(166), top));
  draw_transport(panel, height);
  ImGui::SameLine(0, panel.px(16));
  draw_history(panel, height);
  const auto words = state_words(panel.view);
  const float state_left = width - pad - badge_width(words);
  ImGui::SetCursorPos(ImVec2(state_left, top + panel.px(9)));
  badge(words, state_color(panel.view));
  tooltip(panel.view.connection_text);
  ImGui::SetCursorPos(ImVec2(0, top + panel.px(2)));
  draw_master_rate(panel, state_left - panel.px(28));
}

}  // namespace submix::ui
