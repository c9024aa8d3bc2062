// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/finding.hpp"

namespace submix::ui {

/// The state that the panel of this PC's check shares with the PcChecker.
struct PcCheckState {
  bool is_open = false;
  bool is_wanted = false;   ///< a press asks for a check
  bool is_running = false;  ///< the findings are those of an earlier check
  Findings findings;
};

}  // namespace submix::ui
