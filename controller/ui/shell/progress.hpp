// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What the window has begun and has not ended: each with how far it is, and what gives it up.
namespace submix::ui {

struct PanelState;

/// Actions that end within it are not shown.
inline constexpr std::chrono::seconds kShortAction{1};

struct LongAction {
  /// What a press of Cancel does.
  enum class Cancel { impossible, undo, open, saves, trace, exports, plugins, nodes, quit };

  std::string what;             ///< "Opening duo.toml"; also tells one from another
  std::string how_far;          ///< "2 of 3 nodes have told"
  std::optional<double> share;  ///< of it that is done; empty: nobody knows
  Cancel cancel = Cancel::impossible;
  std::string cancel_words;  ///< what that means, or why it is impossible
};

/// What is known of them from frame to frame.
struct ProgressState {
  struct Begun {
    std::string what;
    LocalTime at{};
  };
  std::vector<Begun> begun;
  /// The show that all nodes have taken up: what starts anew later is no part of it.
  std::uint64_t taken_up_revision = 0;
};

/// All that goes on, short or long. Nothing is allocated where nothing does.
[[nodiscard]] std::vector<LongAction> actions_under_way(const model::ClusterView& view,
                                                        const PanelState& state);

/// Keeps since when each goes on, and whether the show is taken up.
void follow(const std::vector<LongAction>& actions, const model::ClusterView& view,
            ProgressState& progress);
[[nodiscard]] LocalTime begin_of(const LongAction& action, const ProgressState& progress);

}  // namespace submix::ui
