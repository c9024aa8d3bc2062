// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/tour.hpp"

#include "controller/ui/draw/tour_state.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/pages/extra_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

namespace submix::ui {
namespace {

constexpr float kBubbleWidth = 330;
constexpr float kArrow = 14;
constexpr float kMargin = 8;  // of the outline

struct Step {
  const char* title;
  const char* words;
  TourMark mark;
  std::optional<TourMark> other{};  ///< outlined, too
};

constexpr std::array kSteps{
    Step{"Layers",
         "Each layer is one picture of the mix, the lowest at the left. Its fader says how much of "
         "it is seen; M takes it out and brings it back. + Layer adds a clip, a picture, a camera "
         "or a pattern.",
         TourMark::layers},
    Step{"Crossfader and master",
         "The crossfader goes from the layers of side A to the layers of side B. Master takes the "
         "whole mix to black. A right click on a fader puts it on MIDI, on a knob or into a cue.",
         TourMark::mixer},
    Step{"Clip and effects",
         "Press a layer's picture: its clip and its effects stand here. + Effect finds an effect "
         "by a few letters and adds it while the picture runs on.",
         TourMark::sides},
    Step{"Black-out, and the perform mode",
         "BLACK-OUT makes all outputs black at once, and light again. Press PERFORM before the "
         "doors open: faders, clips and cues move as before, and no slip of the hand changes "
         "anything else.",
         TourMark::black_out, TourMark::perform_mode},
    Step{"What holds the show back",
         "This line says what limits the show: a PC, a cable or an effect. Press it to see the way "
         "there, and what helps.",
         TourMark::verdict},
};

using Place = TourState::Place;

// Where the bubble is, and its arrow: from the middle of an edge to the control.
struct BubblePlace {
  ImVec2 corner;
  std::optional<ImVec2> tip{};  ///< empty: the control is not on the screen
  ImVec2 base{};                ///< middle of the arrow's base
};

std::optional<Place> place_of(TourMark mark, const TourState& tour) {
  return tour.places[static_cast<std::size_t>(mark)];
}

// A high control has the bubble at its left, so that neighbours above it stay free.
BubblePlace place_beside(const Place& control, ImVec2 size, const Panel& panel) {
  const float edge = panel.px(kMargin);
  const float gap = panel.px(kArrow + kMargin);
  const float lowest = ImGui::GetIO().DisplaySize.y - size.y - edge;
  const float middle = (control.from.y + control.to.y) / 2;
  const float top = std::clamp(middle - size.y / 2, edge, std::max(edge, lowest));
  const float left = std::max(edge, control.from.x - gap - size.x);
  return {{left, top}, ImVec2(control.from.x, middle), {left + size.x, middle}};
}

// Below the control if there is room, else above it.
BubblePlace place_below(const Place& control, ImVec2 size, const Panel& panel) {
  const auto screen = ImGui::GetIO().DisplaySize;
  const float middle = (control.from.x + control.to.x) / 2;
  const float edge = panel.px(kMargin);
  const float rightmost = std::max(edge, screen.x - size.x - edge);
  const float left = std::clamp(middle - size.x / 2, edge, rightmost);
  const float gap = panel.px(kArrow + kMargin);
  const bool is_below = control.to.y + gap + size.y <= screen.y;
  const float above = std::max(edge, control.from.y - gap - size.y);
  const float top = is_below ? control.to.y + gap : above;
  const float touched = is_below ? control.to.y : control.from.y;
  const float x = std::clamp(middle, left + gap, left + size.x - gap);
  return {{left, top}, ImVec2(x, touched), {x, is_below ? top : top + size.y}};
}

BubblePlace bubble_place(const std::optional<Place>& control, ImVec2 size, const Panel& panel) {
  const auto screen = ImGui::GetIO().DisplaySize;
  if (!control) return {{(screen.x - size.x) / 2, (screen.y - size.y) / 2}};
  const bool is_high = control->to.y - control->from.y > 0.4F * screen.y;
  return is_high ? place_beside(*control, size, panel) : place_below(*control, size, panel);
}

void draw_outline(const Place& place, Panel& panel) {
  const float margin = panel.px(3);
  ImGui::GetForegroundDrawList()->AddRect(ImVec2(place.from.x - margin, place.from.y - margin),
                                          ImVec2(place.to.x + margin, place.to.y + margin),
                                          color::kAccent, panel.px(4), 0, panel.px(3));
}

void draw_arrow(const BubblePlace& bubble, Panel& panel) {
  if (!bubble.tip) return;
  const float half = panel.px(kArrow) * 0.7F;
  const auto& [tip, base] = std::pair(*bubble.tip, bubble.base);
  const ImVec2 side = tip.x == base.x ? ImVec2(half, 0) : ImVec2(0, half);
  ImGui::GetForegroundDrawList()->AddTriangleFilled(ImVec2(base.x - side.x, base.y - side.y),
                                                    ImVec2(base.x + side.x, base.y + side.y), tip,
                                                    color::kAccent);
}

// Brings the step's control onto the screen.
void go_to_step(std::size_t step, Panel& panel) {
  auto& tour = *panel.state.tour;
  if (step >= kSteps.size()) return tour.leave();
  tour.step = step;
  tour.is_wanted = false;
  tour.was_seen = true;
  panel.state.page = "perform";
  move_page_back("perform", panel.state);
  if (kSteps[step].mark == TourMark::sides) panel.state.perform->is_layer_shown = true;
}

void draw_buttons(std::size_t step, Panel& panel) {
  if (ImGui::Button("Leave the tour")) panel.state.tour->leave();
  const char* next = step + 1 == kSteps.size() ? "Done" : "Next";
  const ImVec2 size(panel.px(64), 0);
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  ImGui::SameLine(ImGui::GetContentRegionMax().x - (step > 0 ? 2 * size.x + gap : size.x));
  if (step > 0) {
    if (ImGui::Button("Back", size)) go_to_step(step - 1, panel);
    ImGui::SameLine();
  }
  if (ImGui::Button(next, size)) go_to_step(step + 1, panel);
}

// Its height is known after the first frame of a step.
void draw_bubble(std::size_t step, const BubblePlace& place, Panel& panel) {
  constexpr auto kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;
  ImGui::SetNextWindowPos(place.corner);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, color::kCardHovered);
  ImGui::PushStyleColor(ImGuiCol_Border, color::kAccent);
  ImGui::PushStyleColor(ImGuiCol_Button, color::kTrack);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(panel.px(14), panel.px(12)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, panel.px(2));
  ImGui::Begin("tour", nullptr, kFlags);
  text_in(panel.fonts.strong, kSteps[step].title);
  ImGui::SameLine(panel.px(kBubbleWidth) - width_of("5 of 5"));
  text(fmt::format("{} of {}", step + 1, kSteps.size()), color::kFaint);
  ImGui::PushTextWrapPos(panel.px(kBubbleWidth));
  ImGui::TextUnformatted(kSteps[step].words);
  ImGui::PopTextWrapPos();
  ImGui::Dummy(ImVec2(panel.px(kBubbleWidth) - panel.px(14), panel.px(4)));
  draw_buttons(step, panel);
  panel.state.tour->bubble_height = ImGui::GetWindowHeight();
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor(3);
}

// The outline would lie above it.
bool has_menu() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

void draw_step(std::size_t step, Panel& panel) {
  auto& tour = *panel.state.tour;
  const auto control = place_of(kSteps[step].mark, tour);
  const float height = tour.bubble_height;
  const ImVec2 size(panel.px(kBubbleWidth) + panel.px(14), height);
  const auto bubble = bubble_place(control, size, panel);
  const auto other = kSteps[step].other ? place_of(*kSteps[step].other, tour) : std::nullopt;
  if (!has_menu()) {
    if (control) draw_outline(*control, panel);
    if (other) draw_outline(*other, panel);
    draw_arrow(bubble, panel);
  }
  draw_bubble(step, bubble, panel);
}

}  // namespace

bool can_begin_tour(const Panel& panel) {
  return !panel.state.is_performing && panel.view.show != nullptr && !panel.view.submixes.empty();
}

void begin_tour(Panel& panel) {
  panel.state.is_help_open = false;
  go_to_step(0, panel);
}

void draw_tour(Panel& panel) {
  auto& tour = *panel.state.tour;
  if (tour.is_wanted && !tour.step && can_begin_tour(panel)) begin_tour(panel);
  if (tour.step && panel.state.is_performing) tour.leave();
  if (tour.step && can_begin_tour(panel)) draw_step(*tour.step, panel);
  tour.places = {};
}

}  // namespace submix::ui
