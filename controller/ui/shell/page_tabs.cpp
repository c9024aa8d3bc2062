// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/page_tabs.hpp"

#include "controller/ui/draw/frame_text.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/pages/extra_views.hpp"
#include "controller/ui/pages/outputs_panel.hpp"
#include "controller/ui/pages/pages.hpp"
#include "controller/ui/shell/commands.hpp"
#include "controller/ui/shell/nearby_button.hpp"
#include "controller/ui/shell/perform_mode.hpp"

#include <cmath>
#include <string>

namespace submix::ui {
namespace {

constexpr float kPageListWidth = 180;

void draw_tab_menu(const PageEntry& page, Panel& panel) {
  // The tabs themselves stand close together.
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(panel.px(8), panel.px(6)));
  {
    const FingerRows rows(panel);
    if (ImGui::BeginPopupContextItem("tab menu")) {
      draw_move_items(page.id, panel);
      ImGui::EndPopup();
    }
  }
  ImGui::PopStyleVar();
}

// Two windows, one before the other, in the tab's right margin.
void draw_moved_out_sign(ImVec2 right_middle, const Panel& panel) {
  auto* draw = ImGui::GetWindowDrawList();
  const float side = std::round(panel.px(5));
  const float step = std::round(panel.px(2));
  const float left = std::round(right_middle.x - panel.px(10));
  const float top = std::round(right_middle.y - side / 2);
  draw->AddRect(ImVec2(left, top), ImVec2(left + side, top + side), color::kDim);
  draw->AddRectFilled(ImVec2(left + step, top - step),
                      ImVec2(left + step + side, top + side - step), color::kDim);
}

void draw_tab(const PageEntry& page, std::size_t index, Panel& panel) {
  const bool is_chosen = &page == &chosen_page(panel.state);
  const float height = ImGui::GetWindowHeight();
  const float margin = panel.px(is_narrow(ImGui::GetWindowWidth(), panel) ? 9 : 14);
  const ImVec2 size(width_of(page.title) + 2 * margin, height);
  const auto corner = ImGui::GetCursorScreenPos();
  ImGui::PushID(static_cast<int>(index));
  if (ImGui::InvisibleButton("tab", size)) panel.state.page = page.id;
  const bool is_hovered = ImGui::IsItemHovered();
  const bool is_out = is_moved_out(page.id, panel.state);
  if (is_out) {
    tooltip("In a window of its own, which a press brings to the front");
  } else {
    tip("{} ({}). A right click moves it out into a window of its own.", page.explanation,
        keys_text(page_key(index)));
  }
  draw_tab_menu(page, panel);
  ImGui::PopID();
  auto* draw = ImGui::GetWindowDrawList();
  const ImVec2 end(corner.x + size.x, corner.y + size.y);
  if (is_chosen || is_hovered)
    draw->AddRectFilled(corner, end, is_chosen ? color::kCard : color::kPanel);
  if (is_chosen) draw->AddRectFilled(ImVec2(corner.x, end.y - panel.px(2)), end, color::kAccent);
  const float top = corner.y + std::round((height - ImGui::GetFontSize()) / 2);
  draw->AddText(ImVec2(corner.x + margin, top), is_chosen ? color::kText : color::kDim,
                page.title.data(), page.title.data() + page.title.size());
  if (is_out) draw_moved_out_sign(ImVec2(end.x, (corner.y + end.y) / 2), panel);
}

void draw_tabs(Panel& panel) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(panel.px(2), 0));
  ImGui::SetCursorPos(ImVec2(panel.px(8), 0));
  for (std::size_t i = 0; i < pages().size(); ++i) {
    if (i > 0) ImGui::SameLine();
    draw_tab(pages()[i], i, panel);
  }
  ImGui::PopStyleVar();
}

// The tabs as a list, where they have no room.
void draw_page_list(Panel& panel) {
  const auto& chosen = chosen_page(panel.state);
  ImGui::SetCursorPos(
      ImVec2(panel.px(8), std::round((ImGui::GetWindowHeight() - ImGui::GetFrameHeight()) / 2)));
  ImGui::SetNextItemWidth(panel.px(kPageListWidth));
  if (!begin_combo("##pages", std::string(chosen.title).c_str(), panel,
                   ImGuiComboFlags_HeightLarge))
    return;
  for (std::size_t i = 0; i < pages().size(); ++i) {
    const auto& page = pages()[i];
    if (ImGui::Selectable(std::string(page.title).c_str(), &page == &chosen))
      panel.state.page = page.id;
    tip("{} ({})", page.explanation, keys_text(page_key(i)));
  }
  end_combo();
}

// Left of the mode, as far as the tabs leave room: the windows, the outputs in a low window, and
// other PCs that can be met.
void draw_popup_buttons(Panel& panel) {
  const float gap = panel.px(8);
  const float end = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  const float height = panel.state.is_touched ? panel.px(kFingertip) : ImGui::GetTextLineHeight();
  const float top = std::round((ImGui::GetWindowHeight() - height) / 2);
  float left = mode_left(panel) - windows_button_width() - panel.px(12);
  if (left < end + gap) return;
  ImGui::SetCursorPos(ImVec2(left, top));
  draw_windows_button(panel);
  if (has_outputs_button(panel)) {
    left -= outputs_button_width() + gap;
    ImGui::SetCursorPos(ImVec2(left, top));
    draw_outputs_button(panel);
  }
  draw_nearby_button(ImVec2(left - gap, top), left - gap - end, panel);
}

}  // namespace

void draw_page_tabs(Panel& panel) {
  if (is_small_window(panel)) {
    draw_page_list(panel);
  } else {
    draw_tabs(panel);
  }
  draw_popup_buttons(panel);
  draw_mode(ImGui::GetWindowHeight(), panel);
}

}  // namespace submix::ui
