// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/parameter_row.hpp"

#include "common/base/written_number.hpp"
#include "common/show/input_count.hpp"
#include "controller/model/edit/devices.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/display_choice.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/edits/learning.hpp"
#include "controller/ui/edits/oscillator_widgets.hpp"
#include "controller/ui/edits/parameter_oscillator.hpp"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::ui {
namespace {

void change(const ParameterRow& row, std::optional<show::ParameterValue> value, Gesture gesture,
            Panel& panel) {
  note_touched(row.slot, row.parameter.name, row.value, panel);
  edit_show(model::Edit(model::SetParameter{row.slot, row.parameter.name, std::move(value)}),
            gesture, panel);
}

// The parameter that the node gives to all filters.
const char* title_of_parameter(const std::string& name) {
  return name == "wet" ? "Wet" : name.c_str();
}

constexpr float kBox = 58;      // width of the field beside the slider
constexpr double kWide = 150;   // range in which one pixel of a slider is more than 1
constexpr double kFine = 0.01;  // share of the value, or of 1, for each pixel of a drag

double clamped(const ParameterRow& row, double number) {
  return std::clamp(number, row.parameter.minimum, row.parameter.maximum);
}

// The slider takes the room that the field leaves in the column.
void begin_slider(Panel& panel) {
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - panel.px(kBox) -
                          ImGui::GetStyle().ItemInnerSpacing.x);
}
void begin_box(Panel& panel) {
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(panel.px(kBox));
}

// ImGui 1.87 and later choose a word by a double click: half of a number.
void choose_whole_number() {
  if (!ImGui::IsItemActive() || !ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return;
  auto* text = ImGui::GetInputTextState(ImGui::GetItemID());
  if (text == nullptr) return;
  text->SelectAll();
  text->SelectedAllMouseLock = true;  // until the button is up
}

// In a wide range a drag changes the value by a share of itself: 1.0 of 0 to 100 moves by
// hundredths.
std::optional<double> slide(const ParameterRow& row, double number) {
  const double low = row.parameter.minimum;
  const double high = row.parameter.maximum;
  if (high - low > kWide) {
    const auto speed = static_cast<float>(std::max(std::abs(number), 1.0) * kFine);
    return drag_number({"##slider", speed, low, high, "drag", ImGuiSliderFlags_NoInput}, number);
  }
  auto shown = static_cast<float>(number);
  if (!ImGui::SliderFloat("##slider", &shown, static_cast<float>(low), static_cast<float>(high), "",
                          ImGuiSliderFlags_NoInput))
    return std::nullopt;
  return clamped(row, as_written(shown));
}

void draw_number(const ParameterRow& row, double number, Panel& panel) {
  begin_slider(panel);
  const auto slid = slide(row, number);
  begin_gesture_when_pressed(panel);
  if (slid) change(row, *slid, Gesture::go_on, panel);
  begin_box(panel);
  auto typed = static_cast<float>(slid.value_or(number));
  if (ImGui::InputFloat("##number", &typed, 0, 0, "%.3f", ImGuiInputTextFlags_EnterReturnsTrue)) {
    change(row, clamped(row, as_written(typed)), Gesture::begin, panel);
  }
  choose_whole_number();
}

void draw_whole_number(const ParameterRow& row, double number, Panel& panel) {
  const auto low = static_cast<int>(row.parameter.minimum);
  const auto high = static_cast<int>(row.parameter.maximum);
  auto shown = static_cast<int>(std::lround(number));
  begin_slider(panel);
  const bool has_slid =
      high - low > kWide
          ? ImGui::DragInt("##slider", &shown, 0.2F, low, high, "drag", ImGuiSliderFlags_NoInput)
          : ImGui::SliderInt("##slider", &shown, low, high, "", ImGuiSliderFlags_NoInput);
  begin_gesture_when_pressed(panel);
  if (has_slid) change(row, clamped(row, shown), Gesture::go_on, panel);
  begin_box(panel);
  if (ImGui::InputInt("##number", &shown, 0, 0, ImGuiInputTextFlags_EnterReturnsTrue)) {
    change(row, clamped(row, shown), Gesture::begin, panel);
  }
  choose_whole_number();
}

void draw_switch(const ParameterRow& row, bool is_on, Panel& panel) {
  if (!ImGui::Checkbox("##value", &is_on)) return;
  change(row, is_on, Gesture::begin, panel);
}

void draw_choice(const ParameterRow& row, const std::string& current, Panel& panel) {
  if (const auto* chosen =
          draw_choices("##value", row.parameter.choices, current, current.c_str(), panel))
    change(row, *chosen, Gesture::begin, panel);
}

void draw_text(const ParameterRow& row, const std::string& current, Panel& panel) {
  const auto id = row.slot.submix + "." + row.slot.slot + "." + row.parameter.name;
  auto typed = panel.state.texts.try_emplace(id, current).first;
  const bool is_entered =
      ImGui::InputText("##value", &typed->second, ImGuiInputTextFlags_EnterReturnsTrue);
  const bool is_left = ImGui::IsItemDeactivatedAfterEdit();
  if ((is_entered || is_left) && typed->second != current) {
    change(row, typed->second, Gesture::begin, panel);
  }
  if (!ImGui::IsItemActive()) panel.state.texts.erase(typed);
}

void draw_numbers(const ParameterRow& row, const std::vector<double>& numbers, Panel& panel) {
  std::array<float, 4> shown{};
  const auto count = std::min(numbers.size(), shown.size());
  std::transform(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count),
                 shown.begin(), [](double number) { return static_cast<float>(number); });
  const bool is_color = row.parameter.type == "colour";
  const bool has_changed =
      is_color && count == 3
          ? ImGui::ColorEdit3("##value", shown.data(),
                              ImGuiColorEditFlags_NoLabel | ImGuiColorEditFlags_Float)
          : ImGui::SliderScalarN("##value", ImGuiDataType_Float, shown.data(),
                                 static_cast<int>(count), std::array{0.0F}.data(),
                                 std::array{1.0F}.data(), "%.2f", ImGuiSliderFlags_AlwaysClamp);
  begin_gesture_when_pressed(panel);
  if (!has_changed) return;
  std::vector<double> written(count);
  std::transform(shown.begin(), shown.begin() + static_cast<std::ptrdiff_t>(count), written.begin(),
                 [](float number) { return as_written(number); });
  change(row, std::move(written), Gesture::go_on, panel);
}

// If the row is the name of an output's display.
std::optional<model::OutputView> output_with_display(const ParameterRow& row, const Panel& panel) {
  if (row.parameter.name != "screen") return std::nullopt;
  return model::find_output(panel.view, row.slot);
}

bool is_parameter_of(std::string_view plugin, std::string_view name, const ParameterRow& row,
                     const Panel& panel) {
  const auto* slot = panel.view.show == nullptr ? nullptr : panel.view.show->find_slot(row.slot);
  return slot != nullptr && slot->plugin == plugin && row.parameter.name == name;
}

// The PC that runs the row's slot; null: none.
const model::NodeView* node_of(const ParameterRow& row, const Panel& panel) {
  const auto* submix = panel.view.find_submix(row.slot.submix);
  return submix == nullptr ? nullptr : panel.view.find_node(submix->node);
}

void draw_device(const ParameterRow& row, const std::string& current,
                 const model::DeviceChoices& choices, Panel& panel) {
  if (!begin_combo("##value", model::device_text(choices, current).c_str(), panel)) return;
  for (const auto& each : choices.devices) {
    if (ImGui::Selectable(each.text.c_str(), each.device == current))
      change(row, each.device, Gesture::begin, panel);
  }
  for (const auto& line : choices.remedy)
    text(line, color::kDim);
  end_combo();
}

void offer_luts(const ParameterRow& row, const std::string& current, const model::MediaView& media,
                Panel& panel) {
  if (ImGui::Selectable("none", current.empty())) change(row, std::string(), Gesture::begin, panel);
  for (const auto& lut : media.list.luts) {
    if (ImGui::Selectable(lut.c_str(), lut == current)) change(row, lut, Gesture::begin, panel);
  }
  if (!media.error.empty()) text(media.error, color::kWarning);
}

// A field, and beside it the list of the PC's .cube files.
void draw_lut(const ParameterRow& row, const std::string& current, const model::NodeView& node,
              Panel& panel) {
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight());
  draw_text(row, current, panel);
  ImGui::SameLine(0, 0);
  if (!begin_combo("##luts", nullptr, panel, ImGuiComboFlags_NoPreview)) return;
  if (ImGui::IsWindowAppearing()) panel.actions.emplace_back(session::AskMedia{node.name});
  const auto& lists = panel.view.media;
  const auto* media = lists == nullptr ? nullptr : model::find_media(*lists, node.name);
  if (media == nullptr) {
    text(fmt::format("asking {} for its files …", node.name), color::kFaint);
  } else {
    offer_luts(row, current, *media, panel);
    if (media->list.luts.empty())
      text(fmt::format("drop a .cube file on the layer, or put it into the media folder of {}",
                       node.name),
           color::kFaint);
  }
  end_combo();
}

void draw_value(const ParameterRow& row, Panel& panel) {
  ImGui::SetNextItemWidth(-1);
  if (const auto* number = std::get_if<double>(&row.value))
    return row.parameter.is_integer ? draw_whole_number(row, *number, panel)
                                    : draw_number(row, *number, panel);
  if (const auto* is_on = std::get_if<bool>(&row.value)) return draw_switch(row, *is_on, panel);
  if (const auto* words = std::get_if<std::string>(&row.value)) {
    if (const auto output = output_with_display(row, panel))
      return draw_display_choice(*output, panel);
    if (const auto choices = model::device_choices(panel.view, row.slot, row.parameter.name))
      return draw_device(row, *words, *choices, panel);
    const auto* node = node_of(row, panel);
    if (node != nullptr && is_parameter_of("colour", "lut", row, panel))
      return draw_lut(row, *words, *node, panel);
    return row.parameter.choices.empty() ? draw_text(row, *words, panel)
                                         : draw_choice(row, *words, panel);
  }
  draw_numbers(row, std::get<std::vector<double>>(row.value), panel);
}

void draw_row(const ParameterRow& row, Panel& panel) {
  ImGui::PushID(row.parameter.name.c_str());
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  const float room =
      may_oscillate(row, panel) ? ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x : 0.0F;
  text_cut(title_of_parameter(row.parameter.name), ImGui::GetContentRegionAvail().x - room,
           row.is_stated ? color::kText : color::kDim);
  tooltip(row.parameter.explanation);
  draw_parameter_menu(row, panel);
  draw_oscillator_switch(row, panel);
  ImGui::TableNextColumn();
  if (row.oscillator != nullptr && row.oscillator->is_on) {
    draw_oscillator(row, panel);
  } else {
    draw_value(row, panel);
  }
  ImGui::PopID();
}

// The parameters that the plugin describes, and those that only the show states (all of them while
// the plugin is unknown).
std::vector<ParameterRow> rows_of(const show::Port& port, const show::Slot& slot,
                                  const cluster::PluginSummary* plugin) {
  std::vector<ParameterRow> rows;
  const auto add = [&](const cluster::ParameterSummary& parameter) {
    const auto stated = slot.parameters.find(parameter.name);
    const bool is_stated = stated != slot.parameters.end();
    const auto moves = slot.oscillators.find(parameter.name);
    rows.push_back({.slot = port,
                    .parameter = parameter,
                    .value = is_stated ? stated->second : parameter.initial,
                    .is_stated = is_stated,
                    .is_output = plugin != nullptr && plugin->kind == "output",
                    .oscillator = moves == slot.oscillators.end() ? nullptr : &moves->second});
  };
  if (plugin != nullptr) std::ranges::for_each(plugin->parameters, add);
  for (const auto& [name, value] : slot.parameters) {
    if (std::ranges::any_of(rows,
                            [&](const ParameterRow& row) { return row.parameter.name == name; }))
      continue;
    cluster::ParameterSummary unknown;
    unknown.name = name;
    if (const auto* number = std::get_if<double>(&value)) unknown.maximum = std::max(1.0, *number);
    add(unknown);
  }
  return rows;
}

// Of inputs that a mixer could have, but has not.
bool is_of_missing_input(std::string_view parameter, const show::Slot& slot,
                         const cluster::PluginSummary* plugin) {
  if (plugin == nullptr || plugin->kind != "mixer" || !slot.inputs) return false;
  const auto input = show::input_parameter(parameter);
  return input && input->number > slot.inputs->size();
}

}  // namespace

void draw_parameters(const show::Port& port, const show::Slot& slot, Panel& panel) {
  const auto* plugin = panel.view.find_plugin(slot.plugin);
  const auto rows = rows_of(port, slot, plugin);
  if (rows.empty() || !ImGui::BeginTable("parameters", 2)) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 0.9F);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 1.4F);
  for (const auto& row : rows) {
    if (!is_of_missing_input(row.parameter.name, slot, plugin)) draw_row(row, panel);
  }
  ImGui::EndTable();
}

void draw_parameter_menu(const show::Port& port, const std::string& parameter, Panel& panel) {
  // The menu opens when the button is released.
  const bool is_opening = ImGui::IsMouseReleased(ImGuiMouseButton_Right) && ImGui::IsItemHovered();
  if (!is_opening && !ImGui::IsPopupOpen("menu")) return;
  const auto* slot = panel.view.show->find_slot(port);
  if (slot == nullptr) return;
  for (const auto& row : rows_of(port, *slot, panel.view.find_plugin(slot->plugin))) {
    if (row.parameter.name == parameter) draw_parameter_menu(row, panel);
  }
}

}  // namespace submix::ui
