// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/description.hpp"

namespace submix::plugin {

/// What our trials found out about a frei0r plugin's memory. Unknown for most plugins outside the
/// frei0r distribution.
///
/// A plugin is recognised by its file and by its own name, author and version.
/// Another plugin or another version with the same file name may keep frames and may leave pixels
/// out.
[[nodiscard]] Memory known_frei0r_memory(const Description& description);

}  // namespace submix::plugin
