// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <string>
#include <string_view>
#include <vector>

/// The played part of a clip: from parameter "in" to parameter "out" (excluded), in seconds. "out"
/// 0 means the clip's end. Pure.
namespace submix::model {

/// Whether the parameter is an end of a clip's range, or of a clip inside the macro in the slot. A
/// plugin description cannot give its limits. These depend on the other end, and on the clip's
/// length, which only the node knows.
[[nodiscard]] bool is_play_range(const show::Slot& slot, std::string_view parameter);

struct EmptyRange {
  show::Port slot;     ///< of the show, not of the expanded show
  std::string reason;  ///< for people
};
/// Clips of `after` with nothing to play, without those that `before` had already. Null `before`:
/// no show. An oscillator counts with the worse end of its range.
[[nodiscard]] std::vector<EmptyRange> new_empty_ranges(const show::Show* before,
                                                       const show::Show& after);

/// Why the slot has nothing to play. Empty: the range is fine, or the slot is no clip.
[[nodiscard]] std::string empty_range_of(const show::Slot& slot);

}  // namespace submix::model
