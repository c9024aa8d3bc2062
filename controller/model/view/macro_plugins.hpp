// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"

#include <map>
#include <string>

namespace submix::model {

using PluginMap = std::map<std::string, cluster::PluginSummary, std::less<>>;  // by id

/// `plugins` and, as "submix/look", those submixes of the show that may stand in a slot and whose own plugins
/// are all known. Their parameters are those of their slots, as "blur.Amount"; initial is what they state.
[[nodiscard]] PluginMap with_macros(PluginMap plugins, const show::Show& show);

}  // namespace submix::model
