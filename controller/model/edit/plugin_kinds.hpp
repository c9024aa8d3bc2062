// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "common/show/input_count.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Inputs and outputs of plugins, from the nodes' descriptions. Ports and macros are known by the
/// show.
namespace submix::model {

/// The number of slots a plugin reads. Empty: the plugin's description is unknown.
[[nodiscard]] std::optional<show::InputCount> input_count(const show::Show& show,
                                                          const PluginMap& plugins,
                                                          std::string_view plugin);
/// Whether the plugin shows, writes or sends its picture and passes it on unchanged.
[[nodiscard]] bool is_output(const PluginMap& plugins, std::string_view plugin);
/// Whether the plugin makes one picture of one.
[[nodiscard]] bool is_filter(const PluginMap& plugins, std::string_view plugin);

/// The slot whose picture leaves the submix: the last one that is no output. The submix has slots.
[[nodiscard]] std::string last_picture_of(const show::Submix& submix, const PluginMap& plugins);

/// A name that no slot of `submix` has: "glow" of "frei0r/glow", or "glow-2".
[[nodiscard]] std::string free_slot_name(const show::Submix& submix, std::string_view plugin);

}  // namespace submix::model
