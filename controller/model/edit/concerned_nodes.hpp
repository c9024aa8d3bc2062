// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <set>
#include <string>

namespace submix::model {

/// Nodes that a change gives something new to run: a submix, a slot, a plugin, a file, another part of a
/// clip, another size or rate. These can tell whether they have what it takes. Other numbers and switches
/// concern nobody, so that a fader never waits: the plugins' descriptions say what they may be. A null
/// `before`: there is no show, or nobody can read it.
[[nodiscard]] std::set<std::string> concerned_nodes(const show::Show* before,
                                                    const show::Show& after);

}  // namespace submix::model
