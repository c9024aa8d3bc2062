// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/knobs_panel.hpp"

#include "common/base/clock.hpp"
#include "common/base/written_number.hpp"
#include "controller/model/edit/cue_list.hpp"
#include "controller/model/edit/performing.hpp"
#include "controller/model/edit/stage_names.hpp"
#include "controller/model/view/oscillation.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/edits/learning.hpp"
#include "controller/ui/edits/oscillator_widgets.hpp"
#include "controller/ui/edits/perform_edits.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/edits/text_field.hpp"
#include "controller/ui/pages/mix_controls.hpp"
#include "controller/ui/pages/music_switch.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string_view>
#include <utility>

namespace submix::ui {
namespace {

constexpr float kKnobDiameter = 84;
constexpr float kKnobCell = 128;

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
  tooltip("A bar of all oscillators that keep beats begins now, on all PCs");
}

void draw_link_button(Panel& panel) {
  const auto& link = panel.input.link;
  if (lit_button("Link", link.is_on))
    panel.input_actions.emplace_back(input::TurnLink{!link.is_on});
  tooltip(link.is_on
              ? fmt::format("Tempo and bar are those of Ableton Link; others there: {}", link.peers)
              : std::string("Shares tempo and bar with programs in this network that have "
                            "Ableton Link switched on"));
}

void tap(LocalTime now, Panel& panel) {
  auto& taps = panel.state.perform->taps;
  const auto tempo = taps.tap(now);
  if (taps.has_begun()) begin_gesture(panel);
  if (tempo) set_tempo(&show::Tempo::beats_per_minute, *tempo, panel);
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
  const auto beats =
      drag_number({"BPM", 0.25F, show::kBeatsPerMinuteMin, show::kBeatsPerMinuteMax, "%.1f"},
                  tempo.beats_per_minute);
  begin_gesture_when_pressed(panel);
  if (beats) set_tempo(&show::Tempo::beats_per_minute, *beats, panel);
  ImGui::SameLine();
  draw_beat_lamps(panel);
  ImGui::SameLine();
  draw_link_button(panel);
  ImGui::Button("Tap");
  if (ImGui::IsItemActivated()) tap(SteadyClock().now(), panel);  // pressed, not released
  draw_learn_popup(input::PaceTarget::tap, panel);
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
    text(model::stage_name(mix_of(panel).layers, target.slot, target.parameter));
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

}  // namespace

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

}  // namespace submix::ui
