// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/mix_controls.hpp"

#include "common/base/clock.hpp"
#include "common/base/written_number.hpp"
#include "common/show/input_count.hpp"
#include "common/show/lookup.hpp"
#include "controller/model/view/oscillation.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/learning.hpp"
#include "controller/ui/edits/parameter_oscillator.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace submix::ui {
namespace {

constexpr const char* kCrossfade = "crossfade";
constexpr const char* kMaster = "master";
constexpr std::array kBeats{0, 1, 2, 4, 8, 16, 32};

std::string beats_text(int beats) {
  if (beats == 0) return "cut";
  return beats == 1 ? "1 beat" : fmt::format("{} beats", beats);
}

void move(const show::Port& slot, const std::string& parameter, double value, double seconds,
          Gesture gesture, Panel& panel) {
  const show::ParameterValue written = std::clamp(as_written(static_cast<float>(value)), 0.0, 1.0);
  note_touched(slot, parameter, written, panel);
  auto& running = panel.state.perform->mix.running_mixer;
  running.time = model::show_time(panel.view, SteadyClock().now());
  edit_show(model::move_number(*panel.view.show, running, {slot, parameter, written}, seconds),
            gesture, panel);
}

// Of a fade that goes by itself, in the beats that the lamps show.
double fade_seconds(const Panel& panel) {
  const auto& tempo = panel.view.show->tempo;
  const double speed = tempo.master_speed > 0 ? tempo.master_speed : 1;
  return panel.state.perform->crossfade_beats * 60 / (tempo.beats_per_minute * speed);
}

void fade(const show::Port& mixer, const char* parameter, double to, Panel& panel) {
  move(mixer, parameter, to, fade_seconds(panel), Gesture::begin, panel);
}

struct FaderLook {
  const char* format;
  float more_height = 0;
};

// All that stands beside a higher fader has its padding, or ImGui would move the words to one line.
void push_higher_frames(float more_height) {
  const auto padding = ImGui::GetStyle().FramePadding;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(padding.x, padding.y + more_height / 2));
}

bool draw_high_button(const char* label, bool is_on, float width, float more_height) {
  push_higher_frames(more_height);
  const bool is_pressed = lit_button(label, is_on, ImVec2(width, 0));
  ImGui::PopStyleVar();
  return is_pressed;
}

// The fader and the menu of a number from 0 to 1.
void draw_number_fader(const show::Port& mixer, const std::string& parameter, double value,
                       FaderLook look, Panel& panel) {
  auto level = static_cast<float>(value);
  ImGui::PushID(parameter.c_str());
  push_higher_frames(look.more_height);
  const bool has_slid = number_slider("##level", level, 1, look.format);
  ImGui::PopStyleVar();               // the menu has usual rows
  begin_gesture_when_pressed(panel);  // before the first edit of this drag
  if (has_slid) move(mixer, parameter, level, 0, Gesture::go_on, panel);
  draw_parameter_menu(mixer, parameter, panel);
  ImGui::PopID();
}

// Of the last slider, which is behind it.
void draw_middle(const Panel& panel) {
  const auto low = ImGui::GetItemRectMin();
  const auto high = ImGui::GetItemRectMax();
  const float x = std::round((low.x + high.x) / 2);
  const float length = std::round((high.y - low.y) / 5);
  auto* draw = ImGui::GetWindowDrawList();
  const float width = std::max(1.0F, std::round(panel.px(1)));
  draw->AddRectFilled({x, low.y}, {x + width, low.y + length}, color::kFaint);
  draw->AddRectFilled({x, high.y - length}, {x + width, high.y}, color::kFaint);
}

void draw_crossfader(const show::Port& mixer, float more_height, Panel& panel) {
  const double now = number_now(mixer, kCrossfade, panel);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float button = ImGui::GetFrameHeight();
  const auto tell = [&](char side) {
    tooltip_of([&] {
      return fmt::format("To side {}: {}", side, beats_text(panel.state.perform->crossfade_beats));
    });
  };
  if (draw_high_button("A", now < 0.5, button, more_height)) fade(mixer, kCrossfade, 0, panel);
  tell('A');
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - gap);
  draw_number_fader(mixer, kCrossfade, now, {"", more_height}, panel);
  draw_middle(panel);
  ImGui::SameLine(0, gap);
  if (draw_high_button("B", now >= 0.5, button, more_height)) fade(mixer, kCrossfade, 1, panel);
  tell('B');
}

void draw_beats(float width, Panel& panel) {
  int& beats = panel.state.perform->crossfade_beats;
  ImGui::SetNextItemWidth(width);
  if (begin_combo("##beats", beats_text(beats).c_str(), panel)) {
    for (const int choice : kBeats) {
      if (ImGui::Selectable(beats_text(choice).c_str(), choice == beats)) beats = choice;
    }
    end_combo();
  }
  tooltip("How long A, B and Out take");
}

void draw_curve(const show::Port& mixer, Panel& panel) {
  const auto* plugin = panel.view.find_plugin(show::kMixPlugin);
  const auto* curve = plugin == nullptr ? nullptr : show::item_named(plugin->parameters, "curve");
  const auto* value = value_as<std::string>(mixer, "curve", panel);
  if (curve == nullptr || value == nullptr) return;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  if (const auto* chosen = draw_choices("##curve", curve->choices, *value, value->c_str(), panel))
    edit_show(model::SetParameter{mixer, curve->name, *chosen}, Gesture::begin, panel);
  tooltip(curve->explanation);
}

void draw_master(const show::Port& mixer, float more_height, Panel& panel) {
  const double now = number_now(mixer, kMaster, panel);
  const bool is_out = now <= 0;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float button = width_of("Out") + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - gap);
  draw_number_fader(mixer, kMaster, now, {"master %.2f", more_height}, panel);
  ImGui::SameLine(0, gap);
  if (draw_high_button("Out", is_out, button, more_height))
    fade(mixer, kMaster, is_out ? 1 : 0, panel);
  tooltip(is_out ? "Fades the mix in" : "Fades the mix to black");
}

struct MoreHeight {
  float crossfader, master;
};

// The room below the three rows goes to the two faders: the eye and the hand find them first.
MoreHeight more_height_of_faders(const Panel& panel) {
  constexpr float kRows = 3;
  constexpr float kMost = 36;
  constexpr float kShareOfCrossfader = 0.6F;
  const float rows =
      kRows * ImGui::GetFrameHeight() + (kRows - 1) * ImGui::GetStyle().ItemSpacing.y;
  const float room = std::max(0.0F, ImGui::GetContentRegionAvail().y - rows);
  const float most = panel.px(kMost);
  return {std::min(std::floor(room * kShareOfCrossfader), most),
          std::min(std::floor(room * (1 - kShareOfCrossfader)), most)};
}

}  // namespace

const MixLayers& mix_of(Panel& panel) {
  auto& mix = panel.state.perform->mix;
  if (mix.show == panel.view.show && mix.plugins == panel.view.plugins) return mix;
  if (mix.plugins != panel.view.plugins) {
    mix.running_mixer.plugins.clear();
    if (const auto* plugin = panel.view.find_plugin(show::kMixPlugin))
      mix.running_mixer.plugins.emplace(show::kMixPlugin, *plugin);
  }
  mix.show = panel.view.show;
  mix.plugins = panel.view.plugins;
  mix.submix.clear();
  const auto& show = *mix.show;
  if (auto found = model::find_mix(show)) {
    mix.submix = *std::move(found);
  } else if (show.find_submix(panel.state.picture.submix) != nullptr) {
    mix.submix = panel.state.picture.submix;  // the one that the person looks at
  } else if (!show.submixes.empty()) {
    mix.submix = show.submixes.back().name;
  }
  mix.layers = model::layers_of(show, plugins_of(panel), mix.submix);
  mix.mixer = model::mixer_of(mix.layers);
  panel.state.perform->muting.follow(mix.layers);
  return mix;
}

const show::ParameterValue* value_of(const show::Port& slot, std::string_view parameter,
                                     const Panel& panel) {
  const auto* found = panel.view.show->find_slot(slot);
  if (found == nullptr) return nullptr;
  const auto stated = found->parameters.find(parameter);
  if (stated != found->parameters.end()) return &stated->second;
  const auto* plugin = panel.view.find_plugin(found->plugin);
  const auto* known = plugin == nullptr ? nullptr : show::item_named(plugin->parameters, parameter);
  return known == nullptr ? nullptr : &known->initial;
}

double number_now(const show::Port& mixer, std::string_view parameter, Panel& panel) {
  auto& running = panel.state.perform->mix.running_mixer;
  running.time = model::show_time(panel.view, SteadyClock().now());
  running.sound = model::sound_now(panel.view);
  const auto& show = *panel.view.show;
  const auto frame = running.time ? show.rate.index_at(*running.time) : FrameIndex{};
  return model::number_at(show, running, {mixer, std::string(parameter), {}}, frame).value_or(0);
}

void draw_level(const show::Port& mixer, const std::string& parameter, double value,
                const char* format, Panel& panel) {
  draw_number_fader(mixer, parameter, value, {format}, panel);
}

void draw_mixer_panel(Panel& panel) {
  if (begin_plain_panel("Mixer")) {
    if (const auto& mixer = mix_of(panel).mixer) {
      const auto more = more_height_of_faders(panel);
      draw_crossfader(*mixer, more.crossfader, panel);
      draw_beats(ImGui::GetContentRegionAvail().x / 2, panel);
      ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
      draw_curve(*mixer, panel);
      draw_master(*mixer, more.master, panel);
    }
  }
  end_panel();
}

}  // namespace submix::ui
