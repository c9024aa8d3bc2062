// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

/// What knobs, presets and cues speak of, when it gets another name or goes.
namespace submix::show {

/// They follow: a slot, or, where the ports have none, a whole submix.
void follow_rename(Show& show, const Port& from, const Port& to);

/// They let go of what the show does not have: knobs lose targets, presets what was of the slot, cues
/// changes.
void forget_missing(Show& show);

}  // namespace submix::show
