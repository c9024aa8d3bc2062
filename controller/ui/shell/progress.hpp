// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The window's unfinished actions, each with its progress and a way to cancel it.
namespace submix::ui {

struct Panel;
struct PanelState;

/// Shorter actions are not shown.
inline constexpr std::chrono::seconds kShortAction{1};

struct LongAction {
  /// The effect of the Cancel button.
  enum class Cancel { impossible, undo, open, saves, trace, copies, exports, plugins, nodes, quit };

  std::string what;             ///< "Opening duo.toml"; also identifies the action
  std::string how_far;          ///< "2 of 3 nodes have reported"
  std::optional<double> share;  ///< completed share; empty: unknown
  Cancel cancel = Cancel::impossible;
  std::string cancel_words;  ///< what Cancel does, or why it is impossible
};

/// What the window remembers of actions between frames.
struct ProgressState {
  struct Begun {
    std::string what;
    LocalTime at{};
  };
  std::vector<Begun> begun;
  /// Revision of the show that all nodes have applied. A later restart of a part does not count as
  /// its progress.
  std::uint64_t taken_up_revision = 0;
};

/// All unfinished actions, short and long. Allocates nothing if there are none.
[[nodiscard]] std::vector<LongAction> actions_under_way(const model::ClusterView& view,
                                                        const PanelState& state);

/// Notes when each action has begun, and whether all nodes have applied the show.
void follow(const std::vector<LongAction>& actions, const model::ClusterView& view,
            ProgressState& progress);
[[nodiscard]] LocalTime begin_of(const LongAction& action, const ProgressState& progress);

/// Draws the unfinished actions, each with a button to cancel it.
void draw_progress(Panel& panel);

}  // namespace submix::ui
