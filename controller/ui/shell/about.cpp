// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/about.hpp"

#include "common/base/version.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/frame_text.hpp"
#include "controller/ui/draw/widgets.hpp"

namespace submix::ui {
namespace {

constexpr float kLineLetters = 56;  // width of the list of keys

}  // namespace

void draw_about(const FrameMeter& meter, Panel& panel) {
  if (!panel.state.is_help_open || !panel.state.has_keys_in_help) return;
  ImGui::Begin("help");  // drawn below the keys, so that nothing covers them
  rule();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * kLineLetters);
  const auto frame = meter.frame.figures();
  const auto turns = meter.responsiveness.figures();
  text_in(panel.fonts.strong, FrameText("Submix {}", version()));
  text(FrameText("A frame takes {} in half of all cases, at most {} in 99 %: {} to build "
                 "triangles, {} to draw them.",
                 milliseconds_text(frame.p50), milliseconds_text(frame.p99),
                 milliseconds_text(meter.build.figures().p50),
                 milliseconds_text(meter.raster.figures().p50)),
       color::kDim);
  text(FrameText("Did not answer for 100 ms: {} times in the last 30 s, {} at the 99th percentile; "
                 "longest turn {}.",
                 turns.unresponsive, turns.unresponsive_p99, milliseconds_text(turns.longest)),
       turns.unresponsive == 0 ? color::kDim : color::kWarning);
  ImGui::PopTextWrapPos();
  ImGui::End();
}

}  // namespace submix::ui
