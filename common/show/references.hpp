// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <string_view>

/// Keeps the references of knobs, presets and cues valid when things are renamed or removed, and
/// that of the sound when they are renamed or moved.
namespace submix::show {

/// Updates the references to a renamed slot, or, if the ports have no slot, to a renamed submix.
void follow_rename(Show& show, const Port& from, const Port& to);

/// The sound after `submix` has moved from its node to another: the sound of one of its clips is
/// heard on the new node, if it was heard on the former.
[[nodiscard]] SoundInput sound_after_move(SoundInput sound, const Submix& submix,
                                          std::string_view new_node);

/// Removes references to things missing in the show: targets of knobs, a slot's values in
/// presets, changes of cues.
void forget_missing(Show& show);

}  // namespace submix::show
