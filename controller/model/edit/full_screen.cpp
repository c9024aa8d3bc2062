// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/full_screen.hpp"

#include "controller/model/edit/outputs.hpp"
#include "controller/model/edit/performing.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace submix::model {
namespace {

// Until then a node may report what was before the switch.
constexpr std::chrono::milliseconds kObeyed{500};
constexpr std::chrono::seconds kNodePatience{2};

bool has_taken_up(const show::Port& window, bool is_full, const ClusterView& view) {
  const auto output = find_output(view, window);
  const auto* node = output ? view.find_node(output->node) : nullptr;
  return node != nullptr && output->wants_fullscreen == is_full &&
         node->show_revision >= view.show_revision;
}

}  // namespace

bool FullScreenSwitch::is_full(const OutputView& output, const ClusterView& view) const {
  const bool is_new = switched_ && view.now - *switched_ < kObeyed;
  return is_new ? output.wants_fullscreen : output.is_switched_to_full();
}

bool FullScreenSwitch::is_any_full(const ClusterView& view) const {
  return std::ranges::any_of(outputs_of(view),
                             [&](const auto& output) { return is_full(output, view); });
}

std::vector<show::Port> FullScreenSwitch::held_by_hand(const std::vector<OutputView>& outputs,
                                                       bool is_wanted,
                                                       const ClusterView& view) const {
  std::vector<show::Port> held;
  for (const auto& output : outputs) {
    if (output.wants_fullscreen == is_wanted && is_full(output, view) != is_wanted)
      held.push_back(output.slot);
  }
  return held;
}

Edit FullScreenSwitch::write_contrary(std::vector<show::Port> held, bool is_wanted,
                                      const ClusterView& view) {
  auto edit = set_fullscreen(held, !is_wanted);
  begun_ = {std::move(held), is_wanted, view.now};
  return edit;
}

Result<Edit> FullScreenSwitch::turn_all(bool is_wanted, const std::string& mix,
                                        const ClusterView& view) {
  auto held = held_by_hand(outputs_of(view), is_wanted, view);
  switched_ = view.now;
  if (!held.empty()) return write_contrary(std::move(held), is_wanted, view);
  return set_fullscreen(*view.show, plugins_of(view), mix, is_wanted);
}

Edit FullScreenSwitch::turn(const OutputView& output, bool is_wanted, const ClusterView& view) {
  auto held = held_by_hand({output}, is_wanted, view);
  switched_ = view.now;
  if (!held.empty()) return write_contrary(std::move(held), is_wanted, view);
  return set_fullscreen({output.slot}, is_wanted);
}

std::optional<Edit> FullScreenSwitch::finish(const ClusterView& view) {
  if (!begun_) return std::nullopt;
  const bool is_late = view.now - begun_->since > kNodePatience;
  const bool is_due = std::ranges::all_of(begun_->windows, [&](const auto& window) {
    return has_taken_up(window, !begun_->is_wanted, view);
  });
  if (!is_due && !is_late) return std::nullopt;
  auto [windows, is_wanted, since] = *std::exchange(begun_, std::nullopt);
  std::erase_if(windows, [&](const auto& window) { return !find_output(view, window); });
  switched_ = view.now;
  return windows.empty() ? std::nullopt : std::optional(set_fullscreen(windows, is_wanted));
}

}  // namespace submix::model
