// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/clock.hpp"
#include "common/base/written_number.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/performing.hpp"
#include "controller/model/view/oscillation.hpp"
#include "controller/ui/draw/divider.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/tour_state.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/edits/learning.hpp"
#include "controller/ui/edits/oscillator_widgets.hpp"
#include "controller/ui/edits/perform_edits.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/edits/text_field.hpp"
#include "controller/ui/pages/clip_bank.hpp"
#include "controller/ui/pages/clip_panel.hpp"
#include "controller/ui/pages/cues_panel.hpp"
#include "controller/ui/pages/effects_panel.hpp"
#include "controller/ui/pages/extra_views.hpp"
#include "controller/ui/pages/layers_panel.hpp"
#include "controller/ui/pages/mix_controls.hpp"
#include "controller/ui/pages/music_switch.hpp"
#include "controller/ui/pages/outputs_panel.hpp"
#include "controller/ui/pages/pages.hpp"
#include "controller/ui/pages/small_perform.hpp"
#include "controller/ui/pages/wall.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace submix::ui {
namespace {

constexpr float kKnobDiameter = 84;
constexpr float kKnobCell = 128;
constexpr float kPresetHeight = 34;
constexpr float kNarrowColumn = 296;  // two knobs side by side
constexpr float kMixerWidth = 236;
constexpr float kMixerForFingers = 300;
constexpr float kLayersLeast = 112;
constexpr std::size_t kLayersSideBySide = 3;  // in a low window; more of them have a scroll bar
constexpr float kLayersMost = 320;
constexpr float kLayersForFingers = 244;  // its rows of controls are higher
constexpr float kClipHeight = 178;
constexpr float kEffectsLeast = 160;  // less room below the clip is for the clip alone

// Tempo.

void set_tempo(double show::Tempo::* field, double value, Panel& panel) {
  auto tempo = panel.view.show->tempo;
  tempo.*field = value;
  edit_show(model::SetTempo{tempo}, Gesture::go_on, panel);
}

// The beat of the moment in which the button was pressed is the first of a bar.
void sync_now(std::chrono::nanoseconds time, Panel& panel) {
  edit_show(model::set_beat(panel.view.show->tempo, 0.0, time), Gesture::begin, panel);
}

void draw_sync(Panel& panel) {
  const auto time = model::show_time(panel.view, SteadyClock().now());
  ImGui::BeginDisabled(!time);
  if (ImGui::Button("Sync now")) sync_now(*time, panel);
  ImGui::EndDisabled();
  tooltip("A bar of all oscillators that keep beats begins now, on all nodes");
}

// The tempo of the taps so far. Two seconds without a tap begin anew.
void tap(LocalTime now, Panel& panel) {
  constexpr std::size_t kTapsMax = 9;
  auto& taps = panel.state.perform->taps;
  if (taps.empty() || now - taps.back() > std::chrono::seconds(2)) {
    taps.clear();
    begin_gesture(panel);
  }
  if (taps.size() == kTapsMax) taps.erase(taps.begin());
  taps.push_back(now);
  if (taps.size() < 3) return;  // two taps alone may be a slip
  const auto beats = static_cast<double>(taps.size() - 1);
  const double minutes = std::chrono::duration<double>(taps.back() - taps.front()).count() / 60;
  set_tempo(&show::Tempo::beats_per_minute,
            std::clamp(std::round(beats / minutes * 10) / 10, show::kBeatsPerMinuteMin,
                       show::kBeatsPerMinuteMax),
            panel);
}

// A lamp for each beat of a bar; that of the present beat is lit.
void draw_beat_lamps(Panel& panel) {
  const auto time = model::show_time(panel.view, SteadyClock().now());
  const double beats = time ? show::moment_at(panel.view.show->tempo, *time).beats : 0;
  const double of_bar = beats - show::kBarBeats * std::floor(beats / show::kBarBeats);
  const float height = ImGui::GetFrameHeight();
  const float step = std::min(height, panel.px(24)) * 0.6F;
  const auto corner = ImGui::GetCursorScreenPos();
  auto* draw = ImGui::GetWindowDrawList();
  for (int beat = 0; beat < static_cast<int>(show::kBarBeats); ++beat) {
    const bool is_lit = time && beat == static_cast<int>(of_bar);
    const ImVec2 center(corner.x + step * (static_cast<float>(beat) + 0.5F), corner.y + height / 2);
    draw->AddCircleFilled(center, step * 0.35F, is_lit ? color::kAccent : color::kTrack);
  }
  ImGui::Dummy(ImVec2(step * static_cast<float>(show::kBarBeats), height));
  tooltip("The beats of a bar");
}

// A bar for each number of the sound, and the switch for its tempo, where the show follows one.
void draw_sound(Panel& panel) {
  const auto* listener = panel.view.find_node(panel.view.show->sound.node);
  if (listener == nullptr) return;
  const auto sound = model::sound_now(panel.view);
  const auto& trouble = listener->sound.trouble;
  const std::array<std::pair<const char*, double>, 5> bars{
      std::pair{"level", sound.level}, {"bass", sound.bass},   {"mids", sound.mids},
      {"highs", sound.highs},          {"onset", sound.onset},
  };
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight());
  const float step = size.x / static_cast<float>(bars.size());
  auto* draw = ImGui::GetWindowDrawList();
  float left = corner.x;
  for (const auto& [word, number] : bars) {
    const float right = left + panel.px(8);
    const float top = corner.y + size.y * (1 - std::clamp(static_cast<float>(number), 0.0F, 1.0F));
    draw->AddRectFilled({left, corner.y}, {right, corner.y + size.y}, color::kTrack);
    draw->AddRectFilled({left, top}, {right, corner.y + size.y}, color::kAccent);
    draw->AddText({right + panel.px(3), corner.y + ImGui::GetStyle().FramePadding.y}, color::kDim,
                  word);
    left += step;
  }
  ImGui::Dummy(size);
  tooltip(trouble.empty()
              ? fmt::format("{} listens. A right click on a parameter lets it follow the sound.",
                            listener->name)
              : fmt::format("{} hears nothing: {}", listener->name, trouble));
  draw_music_switch(panel);
}

void draw_tempo(Panel& panel) {
  const auto& tempo = panel.view.show->tempo;
  ImGui::SetNextItemWidth(panel.px(110));
  const auto beats = drag_number(
      {"beats a minute", 0.25F, show::kBeatsPerMinuteMin, show::kBeatsPerMinuteMax, "%.1f"},
      tempo.beats_per_minute);
  begin_gesture_when_pressed(panel);
  if (beats) set_tempo(&show::Tempo::beats_per_minute, *beats, panel);
  ImGui::SameLine();
  draw_beat_lamps(panel);
  ImGui::Button("Tap");
  if (ImGui::IsItemActivated()) tap(SteadyClock().now(), panel);  // pressed, not released
  tooltip("Press it on each beat, three times or more");
  ImGui::SameLine();
  draw_sync(panel);
  auto speed = static_cast<float>(tempo.master_speed);
  ImGui::SameLine();
  text("speed", color::kDim);  // in the slider its grab would lie over the word
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  const bool has_slid = number_slider("##speed", speed, 4, "%.2f");
  begin_gesture_when_pressed(panel);  // before the first edit of this drag
  tooltip("Of all oscillators");
  if (has_slid)
    set_tempo(&show::Tempo::master_speed, std::clamp(as_written(speed), 0.0, show::kMasterSpeedMax),
              panel);
  draw_sound(panel);
}

// Knobs.

void replace(const show::Knob& before, show::Knob knob, Panel& panel) {
  auto name = knob.name;
  if (name == before.name) {
    edit_show(model::Edit(model::SetKnobs{{{std::move(name), std::move(knob)}}}), Gesture::begin,
              panel);
  } else {
    edit_show(model::rename_knob(*panel.view.show, before.name, name), Gesture::begin, panel);
  }
}

void draw_targets(const show::Knob& knob, Panel& panel) {
  for (std::size_t i = 0; i < knob.targets.size(); ++i) {
    const auto& target = knob.targets[i];
    ImGui::PushID(static_cast<int>(i));
    std::array<float, 2> ends{static_cast<float>(target.from), static_cast<float>(target.to)};
    ImGui::SetNextItemWidth(panel.px(150));
    const bool has_changed =
        ImGui::InputFloat2("##ends", ends.data(), "%.3f", ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::SameLine();
    text(fmt::format("{}.{}", show::to_string(target.slot), target.parameter));
    ImGui::SameLine();
    const bool is_out = small_button("take off", panel);
    ImGui::PopID();
    if (!has_changed && !is_out) continue;
    auto changed = knob;
    if (is_out) {
      changed.targets.erase(changed.targets.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      changed.targets[i].from = as_written(ends[0]);
      changed.targets[i].to = as_written(ends[1]);
    }
    return replace(knob, std::move(changed), panel);
  }
}

void draw_knob_settings(const show::Knob& knob, Panel& panel) {
  const FingerRows rows(panel);
  if (!ImGui::BeginPopupContextItem("settings")) return;
  if (auto name = entered("name", knob.name, panel.px(150), panel)) {
    auto renamed = knob;
    renamed.name = *std::move(name);
    replace(knob, std::move(renamed), panel);
    ImGui::CloseCurrentPopup();
  }
  text(knob.targets.empty() ? "No targets: a right click on a parameter's name puts it here."
                            : "From at 0, to at 1:",
       color::kDim);
  draw_targets(knob, panel);
  draw_cue_menu(show::CueKnob{knob.name, knob.value}, panel);
  draw_learn_item(input::KnobTarget{knob.name}, panel);
  if (ImGui::MenuItem("Delete the knob")) {
    edit_show(model::delete_knob(*panel.view.show, knob.name), Gesture::begin, panel);
  }
  ImGui::EndPopup();
}

void draw_centred(std::string_view words, float width, ImU32 color) {
  const float shown = std::min(width_of(words), width);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + (width - shown) / 2);
  text_cut(words, width, color);
}

void draw_knob(const show::Knob& knob, Panel& panel) {
  ImGui::PushID(knob.name.c_str());
  ImGui::BeginGroup();
  const float cell = panel.px(kKnobCell);
  const float left = ImGui::GetCursorPosX();
  ImGui::SetCursorPosX(left + (cell - panel.px(kKnobDiameter)) / 2);
  const auto turned = round_knob("knob", knob.value, panel.px(kKnobDiameter));
  if (begin_gesture_when_pressed(panel)) panel.state.perform->knob = knob.name;
  const bool is_wheel = turned && !ImGui::IsItemActive();
  draw_knob_settings(knob, panel);
  if (is_wheel) begin_gesture_of_wheel(knob.name, panel);
  if (turned) note_touched(input::KnobTarget{knob.name}, panel);
  if (turned) turn(knob.name, *turned, panel);
  ImGui::SetCursorPosX(left);
  draw_centred(knob.name, cell, &knob == chosen_knob(panel) ? color::kAccent : color::kText);
  ImGui::SetCursorPosX(left);
  draw_centred(fmt::format("{:.2f}", turned.value_or(knob.value)), cell, color::kDim);
  ImGui::EndGroup();
  ImGui::PopID();
}

void draw_knobs_panel(Panel& panel) {
  if (begin_panel("Knobs", panel.fonts)) {
    draw_tempo(panel);
    rule();
    ImGui::Dummy(ImVec2(0, panel.px(4)));
    const auto& knobs = panel.view.show->knobs;
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    for (const auto& knob : knobs) {
      if (&knob != knobs.data() &&
          ImGui::GetItemRectMax().x + panel.px(kKnobCell) + panel.px(8) < right)
        ImGui::SameLine();
      draw_knob(knob, panel);
    }
    if (knobs.empty()) hint("A right click on a parameter's name in a patch puts it on a knob.");
  }
  end_panel();
}

// Presets.

void draw_preset_menu(const show::Preset& preset, Panel& panel) {
  const FingerRows rows(panel);
  if (!ImGui::BeginPopupContextItem("menu")) return;
  if (ImGui::MenuItem("Save the present values in its place")) {
    edit_show(model::save_preset(*panel.view.show, preset.name, preset.of), Gesture::begin, panel);
  }
  draw_cue_menu(show::CuePreset{preset.name}, panel);
  if (ImGui::MenuItem("Delete the preset")) {
    edit_show(model::delete_preset(*panel.view.show, preset.name), Gesture::begin, panel);
  }
  ImGui::EndPopup();
}

void draw_preset(const show::Preset& preset, Panel& panel) {
  ImGui::PushID(preset.name.c_str());
  const bool is_chosen = &preset == chosen_preset(panel);
  ImGui::PushStyleColor(ImGuiCol_Text, is_chosen ? color::kAccent : color::kText);
  if (ImGui::Button(preset.name.c_str(), ImVec2(panel.px(150), panel.reach(kPresetHeight))))
    apply_preset(preset.name, panel);
  ImGui::PopStyleColor();
  draw_preset_menu(preset, panel);
  ImGui::SameLine();
  // SameLine() has moved half of the way
  const float below = (panel.reach(kPresetHeight) - ImGui::GetFrameHeight()) / 2;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + below);
  text_cut(preset.of.slot.empty() ? preset.of.submix : show::to_string(preset.of),
           ImGui::GetContentRegionAvail().x, color::kDim);
  ImGui::PopID();
}

void save_new_preset(const show::Port& of, Panel& panel) {
  edit_show(model::save_preset(*panel.view.show, free_name("preset", panel.view.show->presets), of),
            Gesture::begin, panel);
}

void draw_new_preset(Panel& panel) {
  if (ImGui::Button("Save as a new preset")) ImGui::OpenPopup("of");
  const FingerRows rows(panel);
  if (!ImGui::BeginPopup("of")) return;
  for (const auto& submix : panel.view.show->submixes) {
    if (!ImGui::BeginMenu(submix.name.c_str())) continue;
    if (ImGui::MenuItem("all of it")) save_new_preset({submix.name, {}}, panel);
    ImGui::Separator();
    for (const auto& slot : submix.slots) {
      if (ImGui::MenuItem(slot.name.c_str())) save_new_preset({submix.name, slot.name}, panel);
    }
    ImGui::EndMenu();
  }
  ImGui::EndPopup();
}

void draw_presets_panel(Panel& panel) {
  if (begin_panel("Presets", panel.fonts)) {
    const auto& presets = panel.view.show->presets;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(presets.size()));
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        draw_preset(presets[static_cast<std::size_t>(i)], panel);
    }
    if (!panel.state.is_performing) draw_new_preset(panel);
  }
  end_panel();
}

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

// Its file, its buttons and its speed are rows that grow for fingers.
float clip_height(const Panel& panel) {
  constexpr float kUsualRow = 23;
  const float higher = panel.reach(kUsualRow) - panel.px(kUsualRow);
  return panel.px(kClipHeight) + 3 * higher + bank_height(panel);
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
  const Divider edge{"perform-cues", size.y, size.y * 0.3F, panel.px(140), panel.px(300)};
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

// The programme and its layers at the left; cues, and the show's or a layer's controls at the right.
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
