// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/learning.hpp"

#include "controller/model/edit/stage_names.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/perform_state.hpp"

namespace submix::ui {
namespace {

const std::vector<double>* numbers_of(const show::ParameterValue& value) {
  return std::get_if<std::vector<double>>(&value);
}

// Which surfaces are heard now.
std::string surfaces_of(const input::InputView& input) {
  std::string words("A fader, knob or pad of MIDI");
  if (!input.is_midi_on) {
    words = "MIDI is off (page Control)";
  } else if (input.midi.devices.empty()) {
    words = "No MIDI device is here yet";
  }
  words += "; a key of this keyboard; ";
  return words + (input.osc_address.empty() ? "OSC is off (page Control)"
                                            : "an OSC program that sends to " + input.osc_address);
}

// As the page Perform calls it.
std::string name_on_stage(const input::Target& target, const Panel& panel) {
  const auto* parameter = std::get_if<input::ParameterTarget>(&target);
  if (parameter == nullptr) return input::words_of(target);
  const auto name =
      model::stage_name(panel.state.perform->mix.layers, parameter->slot, parameter->parameter);
  return parameter->part ? fmt::format("{}, number {}", name, *parameter->part + 1) : name;
}

}  // namespace

void draw_learn_item(const input::Target& target, Panel& panel) {
  if (ImGui::MenuItem("Learn a control")) panel.input_actions.emplace_back(input::Learn{target});
  tooltip(kLearnTip);
  for (const auto& [mapping, is_here, trouble, distance] : panel.input.mappings) {
    if (mapping.target != target) continue;
    const auto words = "Forget " + input::words_of(mapping.control, mapping.device);
    if (ImGui::MenuItem(words.c_str()))
      panel.input_actions.emplace_back(input::ChangeMapping{mapping, std::nullopt});
  }
}

void draw_learn_popup(const input::Target& target, Panel& panel) {
  const FingerRows rows(panel);
  if (!ImGui::BeginPopupContextItem()) return;
  draw_learn_item(target, panel);
  ImGui::EndPopup();
}

void draw_learn_menu(const show::Port& slot, const std::string& parameter,
                     const show::ParameterValue& value, Panel& panel) {
  const auto* numbers = numbers_of(value);
  if (numbers == nullptr) return draw_learn_item(input::ParameterTarget{slot, parameter}, panel);
  if (!ImGui::BeginMenu("Learn a control for number")) return;
  for (std::size_t i = 0; i < numbers->size(); ++i) {
    if (ImGui::MenuItem(std::to_string(i + 1).c_str()))
      panel.input_actions.emplace_back(input::Learn{input::ParameterTarget{slot, parameter, i}});
  }
  ImGui::EndMenu();
}

void note_touched(const input::Target& target, Panel& panel) {
  panel.state.selected_target = input::to_string(target);
}

void note_touched(const show::Port& slot, const std::string& parameter,
                  const show::ParameterValue& value, Panel& panel) {
  const bool has_parts = numbers_of(value) != nullptr;
  note_touched(input::ParameterTarget{slot, parameter,
                                      has_parts ? std::optional<std::size_t>(0) : std::nullopt},
               panel);
}

void learn_touched(Panel& panel) {
  if (const auto target = input::parse_target(panel.state.selected_target))
    panel.input_actions.emplace_back(input::Learn{*target});
}

bool can_learn_touched(const Panel& panel) {
  return !panel.state.selected_target.empty();
}

void draw_learning_notice(Panel& panel) {
  if (!panel.input.learning) return;
  const auto screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(screen.x / 2, panel.px(100)), ImGuiCond_Always, ImVec2(0.5F, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(panel.px(16), panel.px(12)));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, color::kCardHovered);
  constexpr auto kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing;
  ImGui::Begin("learning", nullptr, kFlags);
  ImGui::AlignTextToFramePadding();
  badge("LEARN", color::kWarning);
  ImGui::SameLine();
  text("Move or press what is to move " + name_on_stage(*panel.input.learning, panel));
  ImGui::SameLine(0, panel.px(16));
  if (ImGui::Button("Cancel (Esc)")) panel.input_actions.emplace_back(input::StopLearning{});
  text(surfaces_of(panel.input), color::kDim);
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

}  // namespace submix::ui
