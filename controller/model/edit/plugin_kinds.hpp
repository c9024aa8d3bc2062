// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "common/show/input_count.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// What plugins take and give, as far as nodes have told; ports and submixes in slots are known by the show.
namespace submix::model {

/// How many slots a plugin reads; empty: nobody has described it.
[[nodiscard]] std::optional<show::InputCount> input_count(const show::Show& show,
                                                          const PluginMap& plugins,
                                                          std::string_view plugin);
/// Whether it shows, writes or sends its picture and merely passes it on.
[[nodiscard]] bool is_output(const PluginMap& plugins, std::string_view plugin);
/// Whether it makes one picture of one.
[[nodiscard]] bool is_filter(const PluginMap& plugins, std::string_view plugin);

/// A name that no slot of `submix` has: "glow" of "frei0r/glow", or "glow-2".
[[nodiscard]] std::string free_slot_name(const show::Submix& submix, std::string_view plugin);

}  // namespace submix::model
