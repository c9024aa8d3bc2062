// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace submix::ui {

/// What the page for control from outside remembers between frames.
struct ControlState {
  std::string filter;  ///< of the list of targets
  std::string osc_host;
  int osc_port = 0;
  bool is_osc_edited = false;  ///< the typed address is not applied yet
};

}  // namespace submix::ui
