// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/full_screen.hpp"

#include "controller/model/edit/outputs.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/edits/perform_edits.hpp"
#include "controller/ui/edits/perform_state.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace submix::ui {
namespace {

// Until then a node may report what was before the switch.
constexpr std::chrono::milliseconds kObeyed{500};

using Outputs = std::vector<model::OutputView>;

bool is_any_full_screen(const Outputs& outputs, const Panel& panel) {
  return std::ranges::any_of(outputs,
                             [&](const auto& output) { return is_full_screen(output, panel); });
}

// The outputs whose parameters have the value already, because people have switched them by hand.
// Empty: a switch needs no contrary.
std::vector<show::Port> held_by_hand(const Outputs& outputs, bool wanted, const Panel& panel) {
  std::vector<show::Port> held;
  for (const auto& output : outputs) {
    if (output.wants_fullscreen == wanted && is_full_screen(output, panel) != wanted)
      held.push_back(output.slot);
  }
  return held;
}

void write_contrary(std::vector<show::Port> held, bool wanted, Panel& panel) {
  edit_show(model::set_fullscreen(held, !wanted), Gesture::begin, panel);
  panel.state.perform->full_screen = {std::move(held), wanted, panel.view.now};
}

bool has_taken_up(const show::Port& window, bool is_full_screen, const model::ClusterView& view) {
  const auto output = model::find_output(view, window);
  const auto* node = output ? view.find_node(output->node) : nullptr;
  return node != nullptr && output->wants_fullscreen == is_full_screen &&
         node->show_revision >= view.show_revision;
}

}  // namespace

bool is_full_screen(const model::OutputView& output, const Panel& panel) {
  const bool is_new = panel.view.now - panel.state.perform->full_screen_at < kObeyed;
  return is_new ? output.wants_fullscreen : output.is_switched_to_full();
}

bool is_any_full_screen(const Panel& panel) {
  return is_any_full_screen(model::outputs_of(panel.view), panel);
}

void switch_full_screen(Panel& panel) {
  const auto outputs = model::outputs_of(panel.view);
  const bool wanted = !is_any_full_screen(outputs, panel);
  auto held = held_by_hand(outputs, wanted, panel);
  panel.state.perform->full_screen_at = panel.view.now;
  if (held.empty()) return set_outputs_fullscreen(wanted, panel);
  write_contrary(std::move(held), wanted, panel);
}

void switch_full_screen(const model::OutputView& output, Panel& panel) {
  const bool wanted = !is_full_screen(output, panel);
  auto held = held_by_hand({output}, wanted, panel);
  panel.state.perform->full_screen_at = panel.view.now;
  if (!held.empty()) return write_contrary(std::move(held), wanted, panel);
  edit_show(model::set_fullscreen({output.slot}, wanted), Gesture::begin, panel);
}

void finish_full_screen(Panel& panel) {
  constexpr std::chrono::seconds kPatience{2};
  auto& begun = panel.state.perform->full_screen;
  if (!begun) return;
  const auto& view = panel.view;
  const bool is_late = view.now - begun->since > kPatience;
  const bool is_due = std::ranges::all_of(begun->windows, [&](const auto& window) {
    return has_taken_up(window, !begun->is_full_screen, view);
  });
  if (!is_due && !is_late) return;
  std::erase_if(begun->windows,
                [&](const auto& window) { return !model::find_output(view, window); });
  if (!begun->windows.empty())
    edit_show(model::set_fullscreen(begun->windows, begun->is_full_screen), Gesture::go_on, panel);
  panel.state.perform->full_screen_at = view.now;
  begun.reset();
}

}  // namespace submix::ui
