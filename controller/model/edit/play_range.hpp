// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <string>
#include <string_view>
#include <vector>

/// The part of a clip that is played: from parameter "in" to before parameter "out", in seconds. As "out", 0
/// is the clip's end. Pure.
namespace submix::model {

/// Whether the slot's parameter is an end of the range of a clip, or of one inside a submix that the slot
/// stands for. No description tells whether such a value can be: it depends on the other end, and on the
/// clip's length, which only the node knows.
[[nodiscard]] bool is_play_range(const show::Slot& slot, std::string_view parameter);

struct EmptyRange {
  show::Port slot;     ///< of the show, not of the expanded one
  std::string reason;  ///< for people
};
/// Clips of `after` with nothing to play, other than such as `before` had already. Null: there was no show.
/// An oscillator counts with the end of its range that is worse.
[[nodiscard]] std::vector<EmptyRange> new_empty_ranges(const show::Show* before,
                                                       const show::Show& after);

/// Why the slot has nothing to play; empty: it has something to play, or is no clip.
[[nodiscard]] std::string empty_range_of(const show::Slot& slot);

}  // namespace submix::model
