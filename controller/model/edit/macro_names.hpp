// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <string>

namespace submix::model {

/// Slot `port` gets `name`, or, where that is empty, goes: what slots that its submix stands in say of it
/// ("blur.Amount"), and those that they stand in in turn ("look.blur.Amount"), follows or goes; so does what
/// knobs, presets and cues say of these. Such values of `port` itself are not looked at.
void follow_in_macros(show::Show& show, const show::Port& port, const std::string& name);

}  // namespace submix::model
