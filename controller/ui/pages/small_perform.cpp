// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/small_perform.hpp"

#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/pages/extra_views.hpp"
#include "controller/ui/pages/layers_panel.hpp"
#include "controller/ui/pages/pages.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace submix::ui {
namespace {

constexpr float kButtonsWidth = 76;

struct View {
  std::string_view id;
  const char* button;
  void (*draw)(Panel&);
};

void draw_picture_view(Panel& panel) {
  draw_mix_picture(ImGui::GetContentRegionAvail(), panel);
}

constexpr std::array kViews{
    View{kProgrammeView, "Picture", &draw_picture_view},
    View{kLayersView, "Layers", &draw_layers_view},
    View{kCuesView, "Cues", &draw_cues_view},
    View{kKnobsView, "Knobs", &draw_knobs_view},
    View{kEffectsView, "Effects", &draw_effects_view},
};

// A second window with the picture leaves this one its own; a panel is in one window at a time.
bool is_here(const View& view, const Panel& panel) {
  return view.id == kProgrammeView || !is_moved_out(view.id, panel.state);
}

const View& chosen_view(const Panel& panel) {
  const auto* found = std::ranges::find(kViews, panel.state.perform->small_view, &View::id);
  return found != kViews.end() && is_here(*found, panel) ? *found : kViews.front();
}

void draw_buttons(Panel& panel) {
  const auto& chosen = chosen_view(panel);
  const ImVec2 size(panel.px(kButtonsWidth), panel.reach(36));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, panel.px(4)));
  for (const auto& view : kViews) {
    if (!is_here(view, panel)) continue;
    ImGui::SetCursorPosX(panel.px(kPanelGap));
    if (lit_button(view.button, &view == &chosen, size)) panel.state.perform->small_view = view.id;
  }
  ImGui::PopStyleVar();
}

}  // namespace

void draw_small_perform_page(Panel& panel) {
  draw_buttons(panel);
  const auto room = ImGui::GetWindowSize();
  const float left = panel.px(kButtonsWidth + kPanelGap);
  const auto& view = chosen_view(panel);
  put({view.button, {left, 0}, {room.x - left, room.y}, false}, panel, view.draw);
}

}  // namespace submix::ui
