// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/perform_mode.hpp"

#include "controller/ui/draw/theme.hpp"
#include "controller/ui/draw/tour_state.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/shell/quit.hpp"

#include <utility>

namespace submix::ui {
namespace {

struct IsStructural {
  const model::EditView& edit;

  bool operator()(const session::EditShow& action) const {
    return model::is_structural(action.edit);
  }
  bool operator()(const session::CopyMedia& action) const {
    return std::holds_alternative<model::NewLayer>(action.then);
  }
  bool operator()(const session::Undo&) const { return edit.is_undo_structural; }
  bool operator()(const session::Redo&) const { return edit.is_redo_structural; }
  bool operator()(const session::OpenShow&) const { return true; }
  bool operator()(const session::OpenWithMedia&) const { return true; }
  bool operator()(const session::BeginShow&) const { return true; }
  template <typename Other>
  bool operator()(const Other&) const {
    return false;
  }
};

constexpr float kButtonWidth = 92;
constexpr float kButtonGap = 2;
constexpr float kHoldSeconds = 0.5F;  // longer than a slip of the hand

struct ModeColors {
  ImU32 ground, words;
};

// True while it is pressed.
bool draw_mode_button(const char* label, bool is_present, ModeColors colors, float height,
                      Panel& panel) {
  ImGui::PushStyleColor(ImGuiCol_Button, is_present ? colors.ground : color::kPanel);
  ImGui::PushStyleColor(ImGuiCol_Text, is_present ? colors.words : color::kDim);
  ImGui::Button(label, ImVec2(panel.px(kButtonWidth), height));
  ImGui::PopStyleColor(2);
  return ImGui::IsItemActive() && !is_present;
}

}  // namespace

bool is_structural(const session::Action& action, const model::EditView& edit) {
  return std::visit(IsStructural{edit}, action);
}

void change_mode(Panel& panel) {
  panel.state.is_performing = !panel.state.is_performing;
  panel.actions.emplace_back(session::KeepStructure{panel.state.is_performing});
}

void refuse_to_quit_while_performing(PanelState& state) {
  if (!state.is_performing || !std::exchange(state.quit->is_wanted, false)) return;
  state.notice =
      OwnNotice{"the window stays open in the perform mode; Ctrl+E goes to the edit mode",
                LocalTime::clock::now()};
}

float mode_left(const Panel& panel) {
  return ImGui::GetWindowWidth() - panel.px(2 * kButtonWidth + kButtonGap + 10);
}

void draw_mode(float height, Panel& panel) {
  const float margin = panel.px(3);
  const bool is_performing = panel.state.is_performing;
  // The usual mode asks for no attention.
  const ModeColors usual{color::present.track_active, color::kText};
  const ModeColors special{color::kAccent, color::kOnBright};
  ImGui::SetCursorPos(ImVec2(mode_left(panel), margin));
  const bool is_held = draw_mode_button(is_performing ? "hold: EDIT###edit" : "EDIT###edit",
                                        !is_performing, usual, height - 2 * margin, panel);
  tooltip("Everything can be changed (Ctrl+E)");
  ImGui::SameLine(0, panel.px(kButtonGap));
  const bool is_pressed =
      draw_mode_button("PERFORM", is_performing, special, height - 2 * margin, panel);
  panel.state.tour->mark_last_item(TourMark::perform_mode);
  tooltip("Values, faders, clips and cues move; no slip of a hand changes anything else (Ctrl+E)");
  if (is_performing) {
    const auto corner = ImGui::GetWindowPos();
    const ImVec2 end(corner.x + ImGui::GetWindowWidth(), corner.y + height);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(corner.x, end.y - panel.px(2)), end,
                                              color::kAccent);
  }
  if (is_pressed || (is_held && ImGui::GetIO().MouseDownDuration[0] >= kHoldSeconds))
    change_mode(panel);
}

}  // namespace submix::ui
