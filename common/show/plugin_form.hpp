// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "common/show/input_count.hpp"
#include "common/show/problem.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace submix::show {

/// The limits of a parameter that is a number.
struct NumberRange {
  double minimum = 0.0;
  double maximum = 1.0;
};

/// What a show must know of a plugin in order to be checked.
struct PluginForm {
  InputCount inputs{};
  std::vector<std::string> parameters{};  ///< their names
  std::string refused_because{};          ///< not empty: it cannot be used
  /// Those that oscillators may move. An output's stand still: many of them would begin another file.
  std::map<std::string, NumberRange, std::less<>> numbers{};
};
/// The plugins of one node, by id.
using Catalogue = std::map<std::string, PluginForm, std::less<>>;

/// The slots that `submix.slots[slot_index]` reads, given how many inputs its plugin takes: those it names,
/// or the slot above for one input. Fails when the numbers do not agree, there is no slot above, or the first
/// is delayed.
[[nodiscard]] Result<std::vector<Input>> resolve_inputs(const Submix& submix,
                                                        std::size_t slot_index, InputCount inputs);

/// Unknown and refused plugins, unknown parameters, oscillators of what cannot move or does not go so far,
/// wrong numbers of inputs and circles of one submix, given the plugins of the node that shall run it; also
/// of the submixes that stand in it and of the output chain that shows it. Pure.
[[nodiscard]] Problems check_plugins(const Show& show, std::size_t submix_index,
                                     const Catalogue& catalogue);

}  // namespace submix::show
