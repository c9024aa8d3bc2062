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

/// The facts about a plugin that are needed to check a show.
struct PluginForm {
  InputCount inputs{};
  std::vector<std::string> parameters{};  ///< names
  std::string refused_because{};          ///< not empty: the plugin cannot be used
  /// Parameters that oscillators may move. An output has none: a change of most of its parameters
  /// would begin a new file.
  std::map<std::string, NumberRange, std::less<>> numbers{};
};
/// The plugins of one node, by id.
using Catalogue = std::map<std::string, PluginForm, std::less<>>;

/// The slots that `submix.slots[slot_index]` reads, given how many inputs its plugin takes: the
/// stated inputs, or the slot above for one input.
///
/// Errors   The number of inputs is wrong, there is no slot above, or the first input is delayed.
[[nodiscard]] Result<std::vector<Input>> resolve_inputs(const Submix& submix,
                                                        std::size_t slot_index, InputCount inputs);

/// Checks one submix against the plugins of the node that will run it. Also checks the submixes
/// used in it and the output chain that follows it. Pure.
///
/// Reports unknown and refused plugins, unknown parameters, oscillators of parameters that cannot
/// move or that leave the parameter's range, wrong numbers of inputs, and circles.
[[nodiscard]] Problems check_plugins(const Show& show, std::size_t submix_index,
                                     const Catalogue& catalogue);

}  // namespace submix::show
