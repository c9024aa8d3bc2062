// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/display.hpp"
#include "common/show/document.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::model {

inline constexpr std::string_view kWindowPlugin = "window";

/// A window of the show, and where people see it.
struct OutputView {
  show::Port slot;
  std::string node;    ///< whose displays it may be on; empty: no node runs it
  std::string screen;  ///< name of the display that it asks for; empty: it asks by number
  int number = 0;
  /// Where it is now; while its node does not tell, where it should be. Empty: hidden or not known.
  std::optional<Display> display;
  bool wants_fullscreen = false;  ///< by the show
  bool is_fullscreen = false;     ///< now; while its node does not tell, by the show
  bool is_by_hand = false;        ///< a person has changed it at the window since
  bool is_missing = false;        ///< it asks for a named display that its node has not
  std::string trouble;            ///< why it is not on its display; empty: it is
  SubmixState state = SubmixState::unassigned;
  double fps = 0;

  /// Whether a switch for full screen is lit: by what a person did at the window, else by the show.
  [[nodiscard]] bool is_switched_to_full() const {
    return is_by_hand ? is_fullscreen : wants_fullscreen;
  }
};

/// The windows of the show, in its order. Windows inside macros are those of the macro.
[[nodiscard]] std::vector<OutputView> outputs_of(const ClusterView& view);
/// Empty: this slot is no window of the show.
[[nodiscard]] std::optional<OutputView> find_output(const ClusterView& view,
                                                    const show::Port& slot);
/// What people call an output: its title, or "Screen of mix". Empty: as for find_output().
[[nodiscard]] std::string output_name(const ClusterView& view, const show::Port& slot);

}  // namespace submix::model
