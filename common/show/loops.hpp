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

/// How many inputs the plugin of a slot takes; empty: that is not known, and what it reads where it states
/// nothing is left out.
using InputsOf = std::function<std::optional<InputCount>(const Slot& slot)>;

/// What is wrong with the ways of frames through a submix and all that stand in it, as if their slots were
/// its own: slots that feed each other without a delay; and delays that add up, where what is read late in a
/// place is read inside, to more than there may be, or to a first input that is late.
///
/// Pure. Inputs that name no slot are left out; so is what stands in a submix that grows to far more than
/// kSlotsMax slots.
[[nodiscard]] Problems check_loops(const Show& show, std::size_t submix_index,
                                   const InputsOf& inputs_of);

/// The same for several submixes and all that stand in them, each thing told once: what is wrong in a submix
/// is not told again where it stands in others.
[[nodiscard]] Problems check_all_loops(const Show& show,
                                       const std::vector<std::size_t>& submix_indexes,
                                       const InputsOf& inputs_of);

}  // namespace submix::show
