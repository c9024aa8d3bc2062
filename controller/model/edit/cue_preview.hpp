// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/edit/performing.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace submix::model {

/// What the next cue would change at this moment, a line for each change:
/// "left Fader 0.2 -> 1 in 2 s". Values that are already as the cue wants them are left out. Pure.
///
/// Errors   A cue that cannot go gives one line with the reason.
[[nodiscard]] std::vector<std::string> cue_preview(const show::Show& show,
                                                   const RunningState& running,
                                                   std::string_view arrow = "->");

}  // namespace submix::model
