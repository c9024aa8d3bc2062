// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>

namespace submix::ui {

/// The dividers between panels that people have dragged: see divider.hpp.
struct DividersState {
  std::map<std::string, float, std::less<>> shares;  ///< by name; share of the divider's room
  float grabbed_at = 0;  ///< of the dragged divider: distance from the mouse to the panel's end
};

}  // namespace submix::ui
