// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/about.hpp"

#include "common/base/version.hpp"
#include "controller/ui/format.hpp"
#include "controller/ui/words.hpp"

namespace submix::ui {

void draw_about(const FrameMeter& meter, Panel& panel) {
  if (!panel.state.is_help_open) return;
  const auto screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(screen.x - panel.px(12), panel.px(12)), ImGuiCond_Always,
                          ImVec2(1.0F, 0.0F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(panel.px(24), panel.px(10)));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, color::kCard);
  ImGui::Begin("about", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs);
  const auto frame = meter.frame.figures();
  const auto turns = meter.responsiveness.figures();
  text_in(panel.fonts.strong, Words("Submix {}", version()));
  text(Words("A frame takes {} in half of all, {} in 99 %: {} to make triangles of the view, {} to make "
             "pixels of them.",
             milliseconds_text(frame.p50), milliseconds_text(frame.p99),
             milliseconds_text(meter.build.figures().p50), milliseconds_text(meter.raster.figures().p50)),
       color::kDim);
  text(
      Words(
          "Did not answer for 100 ms: {} times in the last 30 s, {} at the 99th percentile; longest turn {}.",
          turns.unresponsive, turns.unresponsive_p99, milliseconds_text(turns.longest)),
      turns.unresponsive == 0 ? color::kDim : color::kWarning);
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

}  // namespace submix::ui
