// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <string>

namespace submix::model {

/// Follows a rename of slot `port` to `name`, or its removal (empty `name`), in macro parameters.
/// Slots that stand for its submix name its parameters, as "blur.Amount", and so do slots around
/// these, as "look.blur.Amount". All these values are renamed or removed, also in knobs, presets
/// and cues. The values of `port` itself stay unchanged.
void follow_in_macros(show::Show& show, const show::Port& port, const std::string& name);

}  // namespace submix::model
