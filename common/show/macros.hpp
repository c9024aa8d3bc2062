// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "common/show/plugin_form.hpp"

#include <string>
#include <string_view>
#include <vector>

/// A submix inside others, as the plugin of one slot, and the output chain. MACROS.md explains
/// both.
///
/// The plugin "submix/look" stands for the slots of submix "look". The stream-in slots of "look"
/// are the inputs, in their order; the input of its only stream-out is the output. Each use
/// is a separate copy with its own parameters: "blur.Amount" of the slot is "Amount" of the copy's
/// slot "blur".
namespace submix::show {

/// The submix behind a slot. Empty: the slot has an ordinary plugin.
[[nodiscard]] std::string_view macro_of(const Slot& slot);
[[nodiscard]] bool has_macros(const Show& show);

/// Whether a slot of another submix stands for this submix, or the submix is the output chain.
[[nodiscard]] bool stands_in_others(const Show& show, std::string_view submix);

/// The slots of `submix` with this plugin, in order; for example its stream-ins.
[[nodiscard]] std::vector<const Slot*> slots_of_plugin(const Submix& submix,
                                                       std::string_view plugin);

/// Whether the slot shows frames to people, writes them to a file or sends them away: its input
/// goes through the output chain.
[[nodiscard]] bool is_shown_at(const Slot& slot);

/// The show as nodes run it. Pure; `show` must be valid.
///
/// Copied slots, named "slot/inner", replace each slot that stands for a submix. A copy of the
/// output chain is put in front of each window and recording, except those inside a copy. Its slots
/// are named "output:mix/inner" where the copy follows slot "mix". An output that reads another
/// output gets a picture that has already passed the chain. Slots have `above` set if their former
/// predecessor no longer stands before them.
[[nodiscard]] Show expand(const Show& show);

/// The slot of the expanded submix that makes the picture of `port`. Usually the same slot, unless
/// `port` stands for a submix.
[[nodiscard]] std::string slot_behind(const Show& show, const Port& port);

/// `submix` described as a plugin for the slots standing for it, with parameters by the names
/// used in these slots.
[[nodiscard]] PluginForm form_of_macro(const Show& show, const Submix& submix,
                                       const Catalogue& plugins);

}  // namespace submix::show
