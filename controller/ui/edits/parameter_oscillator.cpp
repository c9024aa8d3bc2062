// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/parameter_oscillator.hpp"

#include "common/base/written_number.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/sound.hpp"
#include "controller/model/view/oscillation.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/learning.hpp"
#include "controller/ui/edits/oscillator_widgets.hpp"
#include "controller/ui/edits/perform_edits.hpp"
#include "controller/ui/edits/sound_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace submix::ui {
namespace {

struct BeatsChoice {
  const char* word;
  double beats;
};
constexpr std::array kBeatsChoices{
    BeatsChoice{"1/16 beat", 1.0 / 16}, BeatsChoice{"1/8 beat", 1.0 / 8},
    BeatsChoice{"1/4 beat", 1.0 / 4},   BeatsChoice{"1/3 beat", 1.0 / 3},
    BeatsChoice{"1/2 beat", 1.0 / 2},   BeatsChoice{"1 beat", 1.0},
    BeatsChoice{"2 beats", 2.0},        BeatsChoice{"4 beats", 4.0},
    BeatsChoice{"8 beats", 8.0},        BeatsChoice{"16 beats", 16.0},
    BeatsChoice{"32 beats", 32.0},
};

void change(const ParameterRow& row, show::Oscillator after, Gesture gesture, Panel& panel) {
  const auto before = row.oscillator == nullptr ? std::nullopt : std::optional(*row.oscillator);
  after = model::begun_at(after, before);
  edit_show(model::Edit(model::SetOscillator{row.slot, row.parameter.name, after}), gesture, panel);
}

// A person's choice of a waveform may need a PC that listens.
void choose(const ParameterRow& row, show::Oscillator after,
            const std::optional<show::Oscillator>& before, Panel& panel) {
  after = model::begun_at(after, before);
  edit_show(model::with_listener({row.slot, row.parameter.name, after}, panel.view), Gesture::begin,
            panel);
}

void switch_oscillator(const ParameterRow& row, Panel& panel) {
  auto after = row.oscillator == nullptr ? show::Oscillator() : *row.oscillator;
  after.is_on = row.oscillator == nullptr || !row.oscillator->is_on;
  if (row.oscillator == nullptr) {
    after.from = row.parameter.minimum;
    after.to = row.parameter.maximum;
  }
  change(row, after, Gesture::begin, panel);
}

void draw_waveform_choice(const ParameterRow& row, Panel& panel) {
  const auto& oscillator = *row.oscillator;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.5F);
  if (!begin_combo("##waveform", std::string(show::to_string(oscillator.waveform)).c_str(), panel))
    return;
  for (int i = 0; i < show::kWaveforms; ++i) {
    const auto waveform = static_cast<show::Waveform>(i);
    const bool is_chosen = waveform == oscillator.waveform;
    const bool is_clicked =
        ImGui::Selectable(std::string(show::to_string(waveform)).c_str(), is_chosen);
    // A one-shot starts again.
    const bool is_again = is_chosen && waveform == show::Waveform::one_shot;
    if (!is_clicked || (is_chosen && !is_again)) continue;
    auto after = oscillator;
    after.waveform = waveform;
    const auto before = is_again ? std::nullopt : std::optional(oscillator);
    choose(row, after, before, panel);
  }
  end_combo();
}

void draw_frequency(const ParameterRow& row, Panel& panel) {
  const auto hertz = drag_number({"##hertz", 0.01F, show::kFrequencyMin, show::kFrequencyMax,
                                  "%.3g Hz", ImGuiSliderFlags_Logarithmic},
                                 row.oscillator->frequency);
  begin_gesture_when_pressed(panel);
  if (!hertz) return;
  auto after = *row.oscillator;
  after.frequency = *hertz;
  change(row, after, Gesture::go_on, panel);
}

// Seconds or beats; a click on the other unit converts the period.
void draw_period_menu(const ParameterRow& row, Panel& panel) {
  const FingerRows rows(panel);
  if (!ImGui::BeginPopup("period")) return;
  const auto choose = [&](const char* word, bool is_chosen, std::optional<double> beats) {
    if (!ImGui::Selectable(word, is_chosen)) return;
    auto after = *row.oscillator;
    after.beats = beats;
    change(row, after, Gesture::begin, panel);
  };
  choose("by seconds (Hz)", !row.oscillator->beats, std::nullopt);
  ImGui::Separator();
  for (const auto& [word, beats] : kBeatsChoices)
    choose(word, row.oscillator->beats == beats, beats);
  ImGui::EndPopup();
}

void draw_period(const ParameterRow& row, Panel& panel) {
  const float arrow = ImGui::GetFrameHeight();
  const float width =
      ImGui::GetContentRegionAvail().x - arrow - ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::SetNextItemWidth(width);
  if (row.oscillator->beats) {
    if (ImGui::Button(model::period_text(*row.oscillator).c_str(), ImVec2(width, 0)))
      ImGui::OpenPopup("period");
  } else {
    draw_frequency(row, panel);
  }
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  if (ImGui::ArrowButton("##kinds", ImGuiDir_Down)) ImGui::OpenPopup("period");
  draw_period_menu(row, panel);
}

void draw_range(const ParameterRow& row, Panel& panel) {
  const auto& oscillator = *row.oscillator;
  const Range limits{std::min({row.parameter.minimum, oscillator.from, oscillator.to}),
                     std::max({row.parameter.maximum, oscillator.from, oscillator.to})};
  const auto changed = range_slider("##range", {oscillator.from, oscillator.to}, limits,
                                    ImGui::GetContentRegionAvail().x);
  begin_gesture_when_pressed(panel);
  tooltip(fmt::format("from {:.3g} to {:.3g}: drag an end", oscillator.from, oscillator.to));
  if (!changed) return;
  auto after = oscillator;
  after.from = changed->from;
  after.to = changed->to;
  change(row, after, Gesture::go_on, panel);
}

void draw_phase_and_width(const ParameterRow& row, Panel& panel) {
  const auto slide = [&](const char* word, double show::Oscillator::* part) {
    auto shown = static_cast<float>((*row.oscillator).*part);
    ImGui::SetNextItemWidth(panel.px(140));
    const bool has_changed =
        ImGui::SliderFloat(word, &shown, 0, 1, "%.2f", ImGuiSliderFlags_AlwaysClamp);
    begin_gesture_when_pressed(panel);
    if (!has_changed) return;
    auto after = *row.oscillator;
    after.*part = as_written(shown);
    edit_show(model::SetOscillator{row.slot, row.parameter.name, after}, Gesture::go_on, panel);
  };
  const auto waveform = row.oscillator->waveform;
  if (waveform != show::Waveform::one_shot && !show::follows_sound(waveform))
    slide("phase", &show::Oscillator::phase);
  if (waveform == show::Waveform::pulse) slide("width", &show::Oscillator::width);
}

// One press lets the parameter follow the sound over its whole range.
void draw_sound_menu(const ParameterRow& row, Panel& panel) {
  if (!ImGui::BeginMenu("Follow the sound")) return;
  for (int i = 0; i < show::kWaveforms; ++i) {
    const auto waveform = static_cast<show::Waveform>(i);
    if (!show::follows_sound(waveform)) continue;
    if (!ImGui::MenuItem(std::string(show::to_string(waveform)).c_str())) continue;
    auto after = row.oscillator != nullptr
                     ? *row.oscillator
                     : show::Oscillator{.from = row.parameter.minimum, .to = row.parameter.maximum};
    after.waveform = waveform;
    after.is_on = true;
    choose(row, after, std::nullopt, panel);
  }
  ImGui::EndMenu();
}

void draw_oscillator_menu(const ParameterRow& row, Panel& panel) {
  if (!may_oscillate(row, panel)) return;
  const bool is_on = row.oscillator != nullptr && row.oscillator->is_on;
  if (ImGui::MenuItem(is_on ? "Hold still" : "Oscillate")) switch_oscillator(row, panel);
  draw_sound_menu(row, panel);
  if (row.oscillator == nullptr) return;
  if (is_on) draw_phase_and_width(row, panel);
  if (ImGui::MenuItem("Remove the oscillator")) {
    edit_show(model::SetOscillator{row.slot, row.parameter.name, std::nullopt}, Gesture::begin,
              panel);
  }
}

}  // namespace

bool may_oscillate(const ParameterRow& row, const Panel& panel) {
  return !row.is_output && std::holds_alternative<double>(row.value) && panel.view.show != nullptr;
}

// MenuItem(): a Selectable() takes no click while the submenu of an entry beside it is still open.
void draw_parameter_menu(const ParameterRow& row, Panel& panel) {
  const FingerRows rows(panel);
  if (!ImGui::BeginPopupContextItem("menu")) return;
  if (row.is_stated && ImGui::MenuItem("Back to the plugin's own value")) {
    edit_show(model::SetParameter{row.slot, row.parameter.name, std::nullopt}, Gesture::begin,
              panel);
  }
  draw_oscillator_menu(row, panel);
  if (std::holds_alternative<double>(row.value))
    draw_knob_menu({row.slot, row.parameter.name, row.parameter.minimum, row.parameter.maximum},
                   panel);
  draw_cue_menu(show::CueParameter{row.slot, row.parameter.name, row.value}, panel);
  const bool is_free_text =
      std::holds_alternative<std::string>(row.value) && row.parameter.choices.empty();
  if (!is_free_text) draw_learn_menu(row.slot, row.parameter.name, row.value, panel);
  ImGui::EndPopup();
}

void draw_oscillator_switch(const ParameterRow& row, Panel& panel) {
  if (!may_oscillate(row, panel)) return;
  const bool is_on = row.oscillator != nullptr && row.oscillator->is_on;
  const float size = ImGui::GetFrameHeight();
  ImGui::SameLine(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - size);
  if (lit_button("~", is_on, ImVec2(size, 0))) switch_oscillator(row, panel);
  tooltip(is_on ? "Hold it still" : "Let an oscillator move it");
}

void draw_oscillator(const ParameterRow& row, Panel& panel) {
  const auto seed =
      show::seed_of(fmt::format("{}.{}", show::to_string(row.slot), row.parameter.name));
  waveform(*row.oscillator, model::moment_now(panel.view, row.slot.submix).value_or(show::Moment()),
           seed, ImVec2(ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight() * 1.4F));
  draw_waveform_choice(row, panel);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  if (show::follows_sound(row.oscillator->waveform)) {
    draw_sound_choice("##sound", ImGui::GetContentRegionAvail().x, panel);
  } else {
    draw_period(row, panel);
  }
  draw_range(row, panel);
}

}  // namespace submix::ui
