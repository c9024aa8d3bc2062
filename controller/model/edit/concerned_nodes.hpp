// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <set>
#include <string>

namespace submix::model {

/// The nodes that must check a change, because it gives them something new to run: a submix, slot,
/// plugin, file, part of a clip, size or rate. Other numbers and switches need no node: the
/// plugins' descriptions have the limits. A fader therefore never waits. Null `before`: no show, or
/// an unreadable one.
[[nodiscard]] std::set<std::string> concerned_nodes(const show::Show* before,
                                                    const show::Show& after);

}  // namespace submix::model
