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

/// The limits of a numeric parameter.
struct NumberRange {
  double minimum = 0.0;
  double maximum = 1.0;
};

/// The facts about a plugin needed to check a show.
struct PluginForm {
  InputCount inputs{};
  std::vector<std::string> parameters{};  ///< names
  std::string refused_because{};          ///< not empty: the plugin cannot be used
  /// Parameters movable by oscillators. An output has none: a change of most of its parameters
  /// would begin a new file.
  std::map<std::string, NumberRange, std::less<>> numbers{};
};
/// The plugins of one node, by id.
using Catalogue = std::map<std::string, PluginForm, std::less<>>;

/// The slots that `submix.slots[slot_index]` reads, given how many inputs its plugin takes: the
/// stated inputs, or the slot above for one input.
///
/// Errors   The number of inputs is wrong, no slot is above, or the first input is delayed.
[[nodiscard]] Result<std::vector<Input>> resolve_inputs(const Submix& submix,
                                                        std::size_t slot_index, InputCount inputs);

/// Checks one submix against the plugins of its node. Also checks the submixes
/// used in it and the output chain behind it. Pure.
///
/// Reports unknown and refused plugins, unknown parameters, oscillators that move fixed
/// parameters or leave a parameter's range, wrong numbers of inputs, and circles.
[[nodiscard]] Problems check_plugins(const Show& show, std::size_t submix_index,
                                     const Catalogue& catalogue);

}  // namespace submix::show
