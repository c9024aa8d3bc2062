// SPDX-License-Identifier: GPL-3.0-or-later
// Mappings: which MIDI control, key or OSC address moves what, and how to learn one.
#include "common/base/written_number.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/learning.hpp"
#include "controller/ui/pages/control_panels.hpp"
#include "controller/ui/pages/control_state.hpp"
#include "controller/ui/panel.hpp"

#include <imgui_stdlib.h>

#include <array>

namespace submix::ui {
namespace {

using input::Mapping;
using input::Response;
using Distance = input::MappingCore::Distance;

void add_slot(std::vector<std::string>& targets, const show::Port& port,
              const cluster::PluginSummary* plugin) {
  targets.push_back(input::to_string(input::BypassTarget{port}));
  if (plugin == nullptr) return;
  for (const auto& parameter : plugin->parameters) {
    const auto* numbers = std::get_if<std::vector<double>>(&parameter.initial);
    const bool is_free_text =
        std::holds_alternative<std::string>(parameter.initial) && parameter.choices.empty();
    if (is_free_text) continue;
    if (numbers == nullptr)
      targets.push_back(input::to_string(input::ParameterTarget{port, parameter.name}));
    for (std::size_t i = 0; numbers != nullptr && i < numbers->size(); ++i)
      targets.push_back(input::to_string(input::ParameterTarget{port, parameter.name, i}));
  }
}

// All values that a fader or key can move. Computed only while the list is open.
std::vector<std::string> targets_of(const model::ClusterView& view) {
  std::vector<std::string> targets{"go",  "black", "freeze", "fullscreen", "record",
                                   "tap", "pause", "step",   "tempo",      "speed"};
  if (view.show == nullptr) return targets;
  for (const auto& knob : view.show->knobs)
    targets.push_back(input::to_string(input::KnobTarget{knob.name}));
  for (const auto& cue : view.show->cues)
    targets.push_back(input::to_string(input::CueTarget{cue.name}));
  for (const auto& preset : view.show->presets)
    targets.push_back(input::to_string(input::PresetTarget{preset.name}));
  for (const auto& submix : view.show->submixes) {
    for (const auto& slot : submix.slots)
      add_slot(targets, {submix.name, slot.name}, view.find_plugin(slot.plugin));
  }
  return targets;
}

void draw_target_choice(Panel& panel) {
  auto& state = *panel.state.control;
  ImGui::SetNextItemWidth(panel.px(280));
  const char* shown =
      panel.state.selected_target.empty() ? "Choose a target" : panel.state.selected_target.c_str();
  if (!begin_combo("##target", shown, panel, ImGuiComboFlags_HeightLargest)) return;
  if (ImGui::IsWindowAppearing()) {
    state.filter.clear();
    ask_for_keyboard(panel);
  }
  ImGui::SetNextItemWidth(-1);
  const bool is_entered =
      ImGui::InputTextWithHint("##filter", "type a part of its name; Enter takes the first",
                               &state.filter, ImGuiInputTextFlags_EnterReturnsTrue);
  auto targets = targets_of(panel.view);
  std::erase_if(targets, [&](const auto& target) { return !contains(target, state.filter); });
  if (is_entered && !targets.empty()) {
    panel.state.selected_target = targets.front();
    ImGui::CloseCurrentPopup();
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(targets.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto& target = targets[static_cast<std::size_t>(i)];
      if (ImGui::Selectable(target.c_str(), target == panel.state.selected_target))
        panel.state.selected_target = target;
    }
  }
  end_combo();
}

void draw_learning(Panel& panel) {
  draw_target_choice(panel);
  ImGui::SameLine();
  if (panel.input.learning) {
    if (ImGui::Button("Stop")) panel.input_actions.emplace_back(input::StopLearning{});
    ImGui::SameLine();
    badge(fmt::format("move or press what is to move {}", input::words_of(*panel.input.learning)),
          color::kWarning);
    return;
  }
  const auto target = input::parse_target(panel.state.selected_target);
  ImGui::BeginDisabled(!target);
  if (ImGui::Button("Learn") && target) panel.input_actions.emplace_back(input::Learn{*target});
  ImGui::EndDisabled();
  tooltip(kLearnTip);
}

void draw_end(const char* id, double& end, Mapping& changed) {
  auto percent = static_cast<float>(end * 100);
  ImGui::SetNextItemWidth(
      (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemInnerSpacing.x) /
      (&end == &changed.from ? 2.0F : 1.0F));
  if (ImGui::SliderFloat(id, &percent, 0, 100, "%.0f %%", ImGuiSliderFlags_AlwaysClamp))
    end = as_written(as_written(percent) / 100);
}

void draw_response(Mapping& changed, const Panel& panel) {
  ImGui::SetNextItemWidth(-1);
  if (!begin_combo("##response", std::string(to_string(changed.response)).c_str(), panel)) return;
  for (const auto response :
       {Response::absolute, Response::toggle, Response::momentary, Response::relative}) {
    if (!is_possible(response, changed.control)) continue;
    if (ImGui::Selectable(std::string(to_string(response)).c_str(), response == changed.response))
      changed.response = response;
  }
  end_combo();
}

void draw_state(const input::MappingView& view) {
  if (!view.is_device_here) {
    const bool is_osc = std::holds_alternative<input::OscControl>(view.mapping.control);
    badge(is_osc ? "OSC is off" : "device away", color::kWarning);
  } else if (!view.trouble.empty()) {
    badge("no target", color::kWarning);
    tooltip(view.trouble);
  } else if (view.distance != Distance::none) {
    badge(view.distance == Distance::turn_up ? "turn up" : "turn down", color::kAccent);
    tooltip("Soft take-over: it moves its target after it has met the target's position");
  } else {
    badge("ready", color::kGood);
  }
}

std::string with_channel(const input::SurfaceControl& control) {
  const auto* midi = std::get_if<input::MidiControl>(&control);
  return midi == nullptr ? to_string(control)
                         : fmt::format("{}, channel {}", to_string(*midi), midi->channel);
}

void draw_mapping(const input::MappingView& view, Panel& panel) {
  auto changed = view.mapping;
  const auto target = input::to_string(view.mapping.target);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  text_cut(target, ImGui::GetContentRegionAvail().x);
  if (ImGui::IsItemClicked()) panel.state.selected_target = target;
  ImGui::TableNextColumn();
  text_cut(with_channel(changed.control), ImGui::GetContentRegionAvail().x);
  tooltip(words_of(changed.control, changed.device));
  ImGui::TableNextColumn();
  text_cut(changed.device, ImGui::GetContentRegionAvail().x, color::kDim);
  ImGui::TableNextColumn();
  draw_end("##from", changed.from, changed);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  draw_end("##to", changed.to, changed);
  ImGui::TableNextColumn();
  bool is_inverted = changed.from > changed.to;
  if (ImGui::Checkbox("##inverted", &is_inverted)) std::swap(changed.from, changed.to);
  ImGui::TableNextColumn();
  draw_response(changed, panel);
  ImGui::TableNextColumn();
  ImGui::Checkbox("##soft", &changed.is_soft);
  ImGui::TableNextColumn();
  draw_state(view);
  ImGui::TableNextColumn();
  if (ImGui::SmallButton("x")) {
    panel.input_actions.emplace_back(input::ChangeMapping{view.mapping, std::nullopt});
  } else if (changed != view.mapping) {
    panel.input_actions.emplace_back(input::ChangeMapping{view.mapping, std::move(changed)});
  }
  tooltip("Forget this mapping");
}

void draw_table(Panel& panel) {
  constexpr auto kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerH;
  if (!ImGui::BeginTable("mappings", 9, kFlags)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("Moves", ImGuiTableColumnFlags_WidthStretch, 1.4F);
  ImGui::TableSetupColumn("Control", ImGuiTableColumnFlags_WidthStretch, 1.0F);
  ImGui::TableSetupColumn("Device", ImGuiTableColumnFlags_WidthStretch, 1.0F);
  ImGui::TableSetupColumn("From, to", ImGuiTableColumnFlags_WidthStretch, 1.1F);
  ImGui::TableSetupColumn("Inverted", ImGuiTableColumnFlags_WidthFixed, width_of("Inverted"));
  ImGui::TableSetupColumn("Follows", ImGuiTableColumnFlags_WidthFixed, panel.px(104));
  ImGui::TableSetupColumn("Soft", ImGuiTableColumnFlags_WidthFixed, panel.px(34));
  ImGui::TableSetupColumn("State", ImGuiTableColumnFlags_WidthFixed, panel.px(96));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, panel.px(24));
  ImGui::PushStyleColor(ImGuiCol_TableHeaderBg, color::kCard);
  ImGui::TableHeadersRow();
  ImGui::PopStyleColor();
  const auto& mappings = panel.input.mappings;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(mappings.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      ImGui::PushID(i);
      draw_mapping(mappings[static_cast<std::size_t>(i)], panel);
      ImGui::PopID();
    }
  }
  ImGui::EndTable();
}

}  // namespace

void draw_mappings_panel(Panel& panel) {
  if (begin_panel("Mappings", panel.fonts)) {
    draw_learning(panel);
    if (panel.input.mappings.empty()) {
      text(
          "No control is mapped yet: choose a target, press Learn, and move a fader or press a "
          "key.",
          color::kDim);
    } else {
      draw_table(panel);
    }
  }
  end_panel();
}

}  // namespace submix::ui
