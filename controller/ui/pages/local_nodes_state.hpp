// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace submix::ui {

/// What pages and LocalNodes tell each other: see local_nodes.hpp.
struct LocalNodesState {
  bool are_wanted = false;            ///< a page asks for nodes; they start when the show is known
  std::vector<std::string> to_start;  ///< names of nodes that pages ask for, one by one
  bool are_to_end = false;            ///< a page asks to end them
  std::vector<std::string> names;     ///< of the started nodes
  std::vector<std::string> running;   ///< names of all nodes that run now
  bool are_started = false;           ///< at least one of them is running
  bool is_start_over = false;  ///< all were healthy once, one has ended, or they are being ended
  std::string error;
  std::string own;        ///< wanted name of this PC's node in a show of several PCs; empty: none
  std::string own_error;  ///< why that node does not run
  bool is_own_running = false;

  /// Whether something ends with the window.
  [[nodiscard]] bool is_any_running() const { return are_started || is_own_running; }
};

}  // namespace submix::ui
