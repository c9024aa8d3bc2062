// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "common/show/plugin_form.hpp"

#include <string>
#include <string_view>
#include <vector>

/// A submix inside others, as a plugin of one slot, and the chain through which every output is shown.
///
/// The plugin "submix/look" stands for the slots of submix "look": its stream-in slots, in their order, are
/// the inputs, and what its one stream-out reads is the output. Each use is a copy of its own, with
/// parameters of its own: "blur.Amount" of the slot is "Amount" of the copy's slot "blur".
namespace submix::show {

/// The submix that a slot stands for; empty: it is a plugin's.
[[nodiscard]] std::string_view macro_of(const Slot& slot);

/// Whether a slot of another submix, or the output chain, stands for it.
[[nodiscard]] bool stands_in_others(const Show& show, std::string_view submix);

/// The slots of `submix` of a plugin, in order; such as its stream-ins.
[[nodiscard]] std::vector<const Slot*> slots_of_plugin(const Submix& submix,
                                                       std::string_view plugin);

/// Whether frames of slot "a" of this submix are shown to people or written: they go through the chain.
[[nodiscard]] bool is_shown_at(const Slot& slot);

/// What nodes run: the copies' slots in place of those that stand for submixes, named "slot/inner"; and in
/// front of each window and recording the output chain, its slots named "output:mix/inner" where it follows
/// slot "mix"; not in front of those inside a copy. An output that reads another one gets a picture that has
/// been through the chain already.
/// Pure. `show` is valid; slots have `above` set where it is not the one before them any more.
[[nodiscard]] Show expand(const Show& show);

/// The slot of the expanded submix that makes what `port` shows: the same one, unless it stands for a submix.
[[nodiscard]] std::string slot_behind(const Show& show, const Port& port);

/// `submix` as a plugin, for slots that it stands in; parameters by the names that those give them.
[[nodiscard]] PluginForm form_of_macro(const Show& show, const Submix& submix,
                                       const Catalogue& plugins);

}  // namespace submix::show
