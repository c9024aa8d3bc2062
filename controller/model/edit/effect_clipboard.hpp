// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Effects as a text for a clipboard: a show file with one submix of these effects only. Pure.
namespace submix::model {

inline constexpr std::size_t kEffectsTextBytesMax = std::size_t{256} << 10;

/// The effect alone: its plugin, values, oscillators and bypass, without fades and inputs.
[[nodiscard]] std::string text_of_effects(const std::vector<show::Slot>& effects);
/// The filters of a submix, in their order.
[[nodiscard]] std::vector<show::Slot> effects_of(const show::Submix& submix,
                                                 const PluginMap& plugins);
/// Errors   The text has no effects: another program's, say.
[[nodiscard]] Result<std::vector<show::Slot>> effects_in(std::string_view text);

/// Inserts effects one behind the other, the first behind the slot `above`. New names where the
/// submix has theirs.
///
/// Errors   As insert_slot(); or an effect is none.
[[nodiscard]] Result<Edit> paste_effects(const show::Show& show, const PluginMap& plugins,
                                         const show::Port& above,
                                         const std::vector<show::Slot>& effects);

}  // namespace submix::model
