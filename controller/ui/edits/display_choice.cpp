// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/display_choice.hpp"

#include "controller/model/edit/outputs.hpp"
#include "controller/ui/draw/frame_text.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/edits/full_screen.hpp"

#include <cstddef>
#include <string>

namespace submix::ui {
namespace {

std::string display_text(const Display& display) {
  return fmt::format("{}   {}", display.name, mode_text(display));
}

std::string present_text(const model::OutputView& output) {
  if (output.is_missing) return output.screen + " is missing";
  if (output.display) return display_text(*output.display);
  return output.screen.empty() ? fmt::format("display {}", output.number) : output.screen;
}

bool is_present(const model::OutputView& output, const Display& display, std::size_t number) {
  if (!output.screen.empty()) return output.screen == display.name;
  return static_cast<std::size_t>(output.number) == number;
}

void draw_displays(const model::OutputView& output, Panel& panel) {
  const auto* node = panel.view.find_node(output.node);
  if (node == nullptr || node->displays.empty()) {
    text(FrameText("PC {} tells of no display", output.node.empty() ? "?" : output.node),
         color::kDim);
    return;
  }
  text(FrameText("Displays of PC {}", output.node), color::kDim);
  for (std::size_t number = 0; number < node->displays.size(); ++number) {
    const auto& display = node->displays[number];
    const auto label = fmt::format("{}###{}", display_text(display), number);
    if (ImGui::Selectable(label.c_str(), is_present(output, display, number)))
      edit_show(model::put_on_display(output.slot, display.name, number), Gesture::begin, panel);
  }
}

}  // namespace

void draw_display_choice(const model::OutputView& output, Panel& panel) {
  ImGui::PushStyleColor(ImGuiCol_Text, output.is_missing ? color::kWarning : color::kText);
  const bool is_open = begin_combo("##display", present_text(output).c_str(), panel);
  ImGui::PopStyleColor();
  if (is_open) {
    draw_displays(output, panel);
    end_combo();
    return;
  }
  tooltip_of([&] {
    return output.trouble.empty() ? std::string("The display that shows it") : output.trouble;
  });
}

void draw_full_screen(const model::OutputView& output, Panel& panel) {
  const bool is_on = is_full_screen(output, panel);
  if (lit_button("Full screen", is_on)) switch_full_screen(output, panel);
  tooltip(is_on ? "Back into a window" : "It covers its whole display");
}

}  // namespace submix::ui
