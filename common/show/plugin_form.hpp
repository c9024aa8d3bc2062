// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "common/show/problem.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace submix::show {

/// What a show must know of a plugin in order to be checked.
struct PluginForm {
  std::size_t inputs = 0;
  std::vector<std::string> parameters{};  ///< their names
};
/// The plugins of one node, by id.
using Catalogue = std::map<std::string, PluginForm, std::less<>>;

/// The slots that `submix.slots[slot_index]` reads, given how many inputs its plugin takes: those it names,
/// or the slot above for one input. Fails when the numbers differ or there is no slot above.
[[nodiscard]] Result<std::vector<std::string>> resolve_inputs(const Submix& submix, std::size_t slot_index,
                                                              std::size_t inputs);

/// Unknown plugins and parameters, wrong numbers of inputs and circles of one submix, given the plugins of
/// the node that shall run it. Pure.
[[nodiscard]] Problems check_plugins(const Show& show, std::size_t submix_index, const Catalogue& catalogue);

}  // namespace submix::show
