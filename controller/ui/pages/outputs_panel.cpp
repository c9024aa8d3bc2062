// SPDX-License-Identifier: GPL-3.0-or-later
// What is shown where: the outputs on the page that one performs with.
#include "controller/ui/pages/outputs_panel.hpp"

#include "controller/model/view/output_views.hpp"
#include "controller/ui/draw/frame_text.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/display_choice.hpp"
#include "controller/ui/pages/extra_views.hpp"
#include "controller/ui/pages/stage_words.hpp"

#include <algorithm>

namespace submix::ui {
namespace {

constexpr std::size_t kLinesShown = 3;  // of more, the rest scrolls
constexpr const char* kOutputsButton = "Outputs";
constexpr float kPopupWidth = 920;
constexpr float kMargin = 4;             // above and below the lines
constexpr float kIdentifyWidth = 80;     // the room of its button
constexpr float kFullScreenWidth = 100;  // the same

/// Widths of a line's parts.
struct LineParts {
  float name = 0;
  float pc = 0;
  float display = 0;
};

// In a narrow panel the display's button gives way first.
LineParts parts_in(float room, const Panel& panel) {
  const bool is_narrow = room < panel.px(760);
  const float name = panel.px(is_narrow ? 116 : 150);
  const float pc = panel.px(is_narrow ? 84 : 110);
  const float rest = room - name - pc - panel.px(kFullScreenWidth + kIdentifyWidth);
  return {name, pc, std::clamp(rest, panel.px(80), panel.px(300))};
}

struct State {
  FrameText words;
  bool is_well = false;  ///< people see what they should
};

// What people see of it now.
State state_of(const model::OutputView& output) {
  if (output.state != model::SubmixState::running)
    return {FrameText("{}", to_string(output.state))};
  if (output.is_missing) return {FrameText("its display is missing")};
  return {
      FrameText("{}, {:.1f} fps", output.is_fullscreen ? "full screen" : "in a window", output.fps),
      true};
}

void draw_output(const model::OutputView& output, Panel& panel) {
  ImGui::PushID(output.slot.submix.c_str());
  ImGui::PushID(output.slot.slot.c_str());
  const float left = ImGui::GetCursorPosX();
  const auto parts = parts_in(ImGui::GetContentRegionAvail().x, panel);
  ImGui::AlignTextToFramePadding();
  text_cut(model::output_name(panel.view, output.slot), parts.name - panel.px(8));
  ImGui::SameLine(left + parts.name);
  text_cut(FrameText("on {}", pc_of(output.node, panel)), parts.pc - panel.px(8), color::kDim);
  ImGui::SameLine(left + parts.name + parts.pc);
  ImGui::SetNextItemWidth(parts.display);
  draw_display_choice(output, panel);
  ImGui::SameLine();
  draw_full_screen(output, panel);
  ImGui::SameLine();
  const auto state = state_of(output);
  const float room = ImGui::GetContentRegionAvail().x - panel.px(kIdentifyWidth);
  if (room > width_of("..."))
    text_cut(state.words, room, state.is_well ? color::kDim : color::kWarning);
  ImGui::PopID();
  ImGui::PopID();
}

// Not in the perform mode: a slip of the hand would show it to an audience.
void draw_identify(Panel& panel) {
  const bool is_on = panel.view.transport.has_test_cards;
  if (panel.state.is_performing && !is_on) return;
  constexpr const char* kWords = "Identify";
  const float width = width_of(kWords) + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
  if (lit_button(kWords, is_on)) panel.actions.emplace_back(session::SetTestCards{!is_on});
  tooltip(is_on ? "All outputs show their pictures again"
                : "Each output shows its name and display, for all to see");
}

float height_of_lines(std::size_t count, const Panel& panel) {
  const auto lines = static_cast<float>(std::min(count, kLinesShown));
  return lines == 0 ? 0 : lines * ImGui::GetFrameHeightWithSpacing() + 2 * panel.px(kMargin);
}

}  // namespace

float outputs_height(const Panel& panel) {
  if (has_outputs_button(panel)) return 0;
  return height_of_lines(model::outputs_of(panel.view).size(), panel);
}

void draw_outputs(Panel& panel) {
  const auto outputs = model::outputs_of(panel.view);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(panel.px(12), panel.px(kMargin)));
  ImGui::BeginChild("outputs", ImGui::GetContentRegionAvail(), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  for (const auto& output : outputs) {
    draw_output(output, panel);
    if (&output == outputs.data()) draw_identify(panel);
  }
  ImGui::EndChild();
}

bool has_outputs_button(const Panel& panel) {
  // In a window of its own the page has no such bar.
  return has_short_bars(panel) && !is_narrow(ImGui::GetIO().DisplaySize.x, panel) &&
         !is_moved_out("perform", panel.state);
}

void draw_outputs_button(Panel& panel) {
  const auto outputs = model::outputs_of(panel.view);
  if (outputs.empty()) return;
  const bool are_well = std::ranges::all_of(
      outputs, [](const model::OutputView& output) { return state_of(output).is_well; });
  ImGui::PushStyleColor(ImGuiCol_Text, are_well ? color::kText : color::kWarning);
  if (small_button(kOutputsButton, panel)) ImGui::OpenPopup("outputs");
  ImGui::PopStyleColor();
  const auto below = ImGui::GetItemRectMax();
  tooltip(are_well ? "What is shown where"
                   : "An output does not show what it should; press to see why");
  const FingerStyle fingers(panel);
  ImGui::SetNextWindowPos(below, ImGuiCond_Always, ImVec2(1, 0));  // its right upper corner
  ImGui::SetNextWindowSize(ImVec2(panel.px(kPopupWidth), 0));
  if (!ImGui::BeginPopup("outputs")) return;
  ImGui::BeginChild("lines", ImVec2(0, height_of_lines(outputs.size(), panel)));
  draw_outputs(panel);
  ImGui::EndChild();
  ImGui::EndPopup();
}

float outputs_button_width() {
  return width_of(kOutputsButton) + 2 * ImGui::GetStyle().FramePadding.x;
}

}  // namespace submix::ui
