// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/output_views.hpp"

#include "common/show/output_name.hpp"
#include "common/show/stated_value.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

namespace submix::model {
namespace {

// Numbers of shows and nodes are anybody's.
int display_number(double stated) {
  return stated >= 0 && stated < static_cast<double>(kDisplaysMax) ? static_cast<int>(stated) : 0;
}

bool has_counter_of(const StageView& stage, std::string_view name) {
  return std::ranges::any_of(stage.counters, [&](const auto& each) { return each.first == name; });
}

// Where the node says that the window is.
void place_by_node(OutputView& output, const StageView& stage,
                   const std::vector<Display>& displays) {
  output.trouble = stage.trouble;
  if (!has_counter_of(stage, "display")) return;
  const auto place = stage.counter("display");
  output.display.reset();
  if (place > 0 && place <= displays.size()) output.display = displays[place - 1];
  output.is_fullscreen = stage.counter("full_screen") != 0;
  output.is_by_hand = place > 0 && output.trouble.empty() && !output.is_missing &&
                      output.is_fullscreen != output.wants_fullscreen;
}

OutputView output_of(const show::Submix& submix, const show::Slot& slot, const ClusterView& view) {
  OutputView output;
  output.slot = {submix.name, slot.name};
  output.screen = show::stated_value(slot.parameters, "screen", std::string());
  output.number = display_number(show::stated_value(slot.parameters, "display", 0.0));
  output.wants_fullscreen = show::stated_value(slot.parameters, "fullscreen", false);
  output.is_fullscreen = output.wants_fullscreen;

  const auto* running = view.find_submix(submix.name);
  output.node = running == nullptr ? submix.node : running->running_node();
  const auto* node = view.find_node(output.node);
  const auto displays = node == nullptr ? std::vector<Display>() : node->displays;
  const auto choice = choose_display(output.screen, output.number, displays);
  output.is_missing = !displays.empty() && !output.screen.empty() && !choice.missing.empty();
  if (!displays.empty()) output.display = displays[choice.number];
  if (running == nullptr) return output;

  output.state = running->state;
  output.fps = running->fps;
  if (const auto* stage = running->find_stage(slot.name)) place_by_node(output, *stage, displays);
  return output;
}

}  // namespace

std::vector<OutputView> outputs_of(const ClusterView& view) {
  std::vector<OutputView> outputs;
  if (view.show == nullptr) return outputs;
  for (const auto& submix : view.show->submixes) {
    for (const auto& slot : submix.slots) {
      if (slot.plugin == kWindowPlugin) outputs.push_back(output_of(submix, slot, view));
    }
  }
  return outputs;
}

std::optional<OutputView> find_output(const ClusterView& view, const show::Port& slot) {
  const auto* found = view.show == nullptr ? nullptr : view.show->find_slot(slot);
  if (found == nullptr || found->plugin != kWindowPlugin) return std::nullopt;
  return output_of(*view.show->find_submix(slot.submix), *found, view);
}

std::string output_name(const ClusterView& view, const show::Port& slot) {
  const auto* found = view.show == nullptr ? nullptr : view.show->find_slot(slot);
  if (found == nullptr || found->plugin != kWindowPlugin) return {};
  auto title = show::stated_value(found->parameters, "title", std::string());
  return title.empty() ? show::output_name(slot) : title;
}

}  // namespace submix::model
