// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"

#include <map>
#include <string>

namespace submix::model {

using PluginMap = std::map<std::string, cluster::PluginSummary, std::less<>>;  // by id

/// `plugins`, and the show's submixes that may stand in a slot, as "submix/look". A submix is added
/// if all of its own plugins are known. Its parameters are the parameters of its slots, as
/// "blur.Amount", with the slots' values as initial values.
[[nodiscard]] PluginMap with_macros(PluginMap plugins, const show::Show& show);

}  // namespace submix::model
