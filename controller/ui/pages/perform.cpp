// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/divider.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/tour_state.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/pages/clip_bank.hpp"
#include "controller/ui/pages/clip_panel.hpp"
#include "controller/ui/pages/cues_panel.hpp"
#include "controller/ui/pages/effects_panel.hpp"
#include "controller/ui/pages/extra_views.hpp"
#include "controller/ui/pages/knobs_panel.hpp"
#include "controller/ui/pages/layers_panel.hpp"
#include "controller/ui/pages/mix_controls.hpp"
#include "controller/ui/pages/outputs_panel.hpp"
#include "controller/ui/pages/pages.hpp"
#include "controller/ui/pages/presets_panel.hpp"
#include "controller/ui/pages/small_perform.hpp"
#include "controller/ui/pages/wall.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace submix::ui {
namespace {

constexpr float kNarrowColumn = 296;  // two knobs side by side
constexpr float kMixerWidth = 236;
constexpr float kMixerForFingers = 300;
constexpr float kLayersLeast = 112;
constexpr std::size_t kLayersSideBySide = 3;  // in a low window; more of them have a scroll bar
constexpr float kLayersMost = 320;
constexpr float kLayersForFingers = 244;  // its rows of controls are higher
constexpr float kClipHeight = 205;
constexpr float kCuesLeast = 140;
constexpr float kEffectsLeast = 160;  // less room below the clip is for the clip alone

bool is_out(std::string_view view, const Panel& panel) {
  return is_moved_out(view, panel.state);
}

// Two buttons over the whole width. The lit one says what stands below. Returns the room below.
PanelArea draw_two_buttons(const PanelArea& area, std::array<const char*, 2> words, bool& is_second,
                           Panel& panel) {
  const float gap = panel.px(4);
  const ImVec2 button((area.size.x - gap) / 2, 0);
  ImGui::SetCursorPos(area.corner);
  if (lit_button(words[0], !is_second, button)) is_second = false;
  ImGui::SameLine(0, gap);
  ImGui::PushID(words[0]);  // the words may be the same
  if (lit_button(words[1], is_second, button)) is_second = true;
  ImGui::PopID();
  const float height = ImGui::GetFrameHeight() + panel.px(kPanelGap);
  return {{area.corner.x, area.corner.y + height}, {area.size.x, area.size.y - height}};
}

// What stands below the cues, if both are on this page: the knobs and presets of the show, or the
// chosen layer.
PanelArea draw_sides(const PanelArea& area, Panel& panel) {
  const auto& layer = panel.state.selected_submix;
  const auto rest =
      draw_two_buttons(area, {"Knobs and presets", layer.empty() ? "Layer" : layer.c_str()},
                       panel.state.perform->is_layer_shown, panel);
  tooltip("The clip and the effects of the layer whose picture was pressed last");
  return rest;
}

void draw_show_side(const PanelArea& area, Panel& panel) {
  const auto& [corner, size] = area;
  const float gap = panel.px(kPanelGap);
  const Divider edge{"perform-presets", size.y, size.y * 0.3F, panel.px(100), panel.px(140), true};
  const float presets = length_of(edge, panel);
  put({"knobs", corner, {size.x, size.y - presets - gap}}, panel, draw_knobs_panel);
  const float bottom = corner.y + size.y - presets;
  put({"presets", {corner.x, bottom}, {size.x, presets}}, panel, draw_presets_panel);
  draw_handle(edge, {corner.x, bottom - gap}, {size.x, gap}, panel);
}

// Its file, its buttons, its speed and its loop are rows that grow for fingers.
float clip_height(const Panel& panel) {
  constexpr float kUsualRow = 23;
  const float higher = panel.reach(kUsualRow) - panel.px(kUsualRow);
  return panel.px(kClipHeight) + 4 * higher + bank_height(panel);
}

// A low column has no room for both.
void draw_clip_or_effects(const PanelArea& area, Panel& panel) {
  auto& are_effects_shown = panel.state.perform->are_effects_shown;
  const auto rest = draw_two_buttons(area, {"Clip", "Effects"}, are_effects_shown, panel);
  if (are_effects_shown) return put({"effects", rest.corner, rest.size}, panel, draw_effects_panel);
  put({"clip", rest.corner, rest.size}, panel, draw_clip_panel);
}

void draw_layer_side(const PanelArea& area, Panel& panel) {
  const auto& [corner, size] = area;
  if (!has_clip(panel)) return put({"effects", corner, size}, panel, draw_effects_panel);
  const float gap = panel.px(kPanelGap);
  const float clip = clip_height(panel);
  const float effects = size.y - clip - gap;
  if (effects < panel.px(kEffectsLeast)) return draw_clip_or_effects(area, panel);
  put({"clip", corner, {size.x, clip}}, panel, draw_clip_panel);
  put({"effects", {corner.x, corner.y + clip + gap}, {size.x, effects}}, panel, draw_effects_panel);
}

// The knobs and presets or the chosen layer; of two that are here, the chosen one.
void draw_chosen_side(const PanelArea& area, Panel& panel) {
  const bool has_knobs_here = !is_out(kKnobsView, panel);
  const bool has_layer_here = !is_out(kEffectsView, panel);
  const auto rest = has_knobs_here && has_layer_here ? draw_sides(area, panel) : area;
  const bool is_layer = has_layer_here && (!has_knobs_here || panel.state.perform->is_layer_shown);
  if (is_layer) {
    draw_layer_side(rest, panel);
  } else {
    draw_show_side(rest, panel);
  }
  const auto page = ImGui::GetWindowPos();
  const ImVec2 from(page.x + area.corner.x, page.y + area.corner.y);
  panel.state.tour->mark(TourMark::sides, from, ImVec2(from.x + area.size.x, from.y + area.size.y));
}

bool has_sides(const Panel& panel) {
  return !is_out(kKnobsView, panel) || !is_out(kEffectsView, panel);
}

void draw_right_column(const PanelArea& area, Panel& panel) {
  const auto& [corner, size] = area;
  const float gap = panel.px(kPanelGap);
  if (is_out(kCuesView, panel)) return draw_chosen_side(area, panel);
  if (!has_sides(panel)) return put({"cues", corner, size}, panel, draw_cues_panel);
  const float least = panel.px(kCuesLeast);
  const float usual = panel.view.show->cues.empty() ? least : size.y * 0.3F;
  const Divider edge{"perform-cues", size.y, usual, least, panel.px(300)};
  const float cues = length_of(edge, panel);
  put({"cues", corner, {size.x, cues}}, panel, draw_cues_panel);
  const float below = cues + gap;
  draw_chosen_side({{corner.x, corner.y + below}, {size.x, size.y - below}}, panel);
  draw_handle(edge, {corner.x, corner.y + cues}, {size.x, gap}, panel);
}

void draw_layers_and_mixer(const PanelArea& area, Panel& panel) {
  const auto& [corner, size] = area;
  const float gap = panel.px(kPanelGap);
  const float wanted = panel.state.is_touched ? panel.px(kMixerForFingers)
                                              : std::min(panel.px(kMixerWidth), size.x * 0.31F);
  const float mixer = mix_of(panel).mixer ? wanted : 0.0F;
  const float beside = mixer > 0 ? mixer + gap : 0.0F;
  put({"layers", corner, {size.x - beside, size.y}}, panel, draw_layers_panel);
  panel.state.tour->mark_last_item(TourMark::layers);
  if (mixer <= 0) return;
  put({"mixer", {corner.x + size.x - mixer, corner.y}, {mixer, size.y}}, panel, draw_mixer_panel);
  panel.state.tour->mark_last_item(TourMark::mixer);
}

// In which the programme is a little more than half of the window, if its width allows.
float programme_height(float width, const Panel& panel) {
  constexpr float kShare = 0.51F;
  const auto window = ImGui::GetIO().DisplaySize;
  const float aspect = aspect_of(panel.view.show->size);
  const float picture = std::min(std::sqrt(kShare * window.x * window.y / aspect), width / aspect);
  return std::ceil(picture) + outputs_height(panel);
}

void draw_left_column(const PanelArea& area, Panel& panel) {
  const auto& [corner, size] = area;
  if (is_out(kLayersView, panel))
    return put({"programme", corner, size}, panel, draw_programme_panel);
  const float gap = panel.px(kPanelGap);
  const float scroll_bar =
      mix_of(panel).layers.size() > kLayersSideBySide ? ImGui::GetStyle().ScrollbarSize : 0;
  const float least =
      panel.px(panel.state.is_touched ? kLayersForFingers : kLayersLeast) + scroll_bar;
  const float rest = size.y - gap - programme_height(size.x, panel);
  const float usual = std::clamp(rest, least, std::max(least, panel.px(kLayersMost)));
  const Divider edge{"perform-layers", size.y, usual, least, panel.px(200), true};
  const float layers = length_of(edge, panel);
  const float top = corner.y + size.y - layers;
  panel.state.perform->layers_top = ImGui::GetWindowPos().y + top;
  put({"programme", corner, {size.x, size.y - layers - gap}}, panel, draw_programme_panel);
  draw_layers_and_mixer({{corner.x, top}, {size.x, layers}}, panel);
  draw_handle(edge, {corner.x, top - gap}, {size.x, gap}, panel);
}

}  // namespace

// At the left the programme and its layers; at the right cues, and controls of show or layer.
void draw_perform_page(Panel& panel) {
  panel.state.perform->layers_top = 0;
  if (panel.view.show == nullptr) return;
  const FingerStyle fingers(panel);
  if (is_small_window(panel)) return draw_small_perform_page(panel);
  const auto [corner, size] = whole_room(panel);
  if (is_out(kCuesView, panel) && !has_sides(panel)) return draw_left_column({corner, size}, panel);
  const float gap = panel.px(kPanelGap);
  const float room = size.x + 2 * gap;
  const float usual = std::clamp(room * 0.2F, panel.px(kNarrowColumn), panel.px(640));
  const Divider edge{"perform-right", room, usual, panel.px(kNarrowColumn), panel.px(400), true};
  const float right = length_of(edge, panel);
  const float left = size.x - right - gap;
  draw_left_column({corner, {left, size.y}}, panel);
  draw_right_column({{corner.x + left + gap, corner.y}, {right, size.y}}, panel);
  draw_handle(edge, {corner.x + left, corner.y}, {gap, size.y}, panel);
}

void draw_cues_view(Panel& panel) {
  const FingerStyle fingers(panel);
  const auto [corner, size] = whole_room(panel);
  put({"cues", corner, size}, panel, draw_cues_panel);
}

void draw_knobs_view(Panel& panel) {
  const FingerStyle fingers(panel);
  draw_show_side(whole_room(panel), panel);
}

void draw_effects_view(Panel& panel) {
  const FingerStyle fingers(panel);
  draw_layer_side(whole_room(panel), panel);
}

void draw_layers_view(Panel& panel) {
  const FingerStyle fingers(panel);
  draw_layers_and_mixer(whole_room(panel), panel);
}

}  // namespace submix::ui
