// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "common/show/input_count.hpp"
#include "common/show/problem.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace submix::show {

/// Returns how many inputs the plugin of a slot takes. Empty: not known; then the slot's default
/// input is not considered.
using InputsOf = std::function<std::optional<InputCount>(const Slot& slot)>;

/// Finds faults in the paths of frames through a submix and all submixes used in it, as if their
/// slots were its own. Three kinds of faults:
/// - slots feeding each other without a delay,
/// - a sum of delays, outside and inside a nested submix, above the limit,
/// - a first input delayed inside a nested submix.
///
/// Pure. Skips inputs without a slot, and a submix expanding to far more than
/// kSlotsMax slots.
[[nodiscard]] Problems check_loops(const Show& show, std::size_t submix_index,
                                   const InputsOf& inputs_of);

/// The same check for several submixes. Each fault is reported once, at the innermost submix that
/// has it.
[[nodiscard]] Problems check_all_loops(const Show& show,
                                       const std::vector<std::size_t>& submix_indexes,
                                       const InputsOf& inputs_of);

}  // namespace submix::show
