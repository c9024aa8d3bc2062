// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/description.hpp"

namespace submix::plugin {

/// What is known of a frei0r plugin from trials of ours; unknown for most of those that frei0r itself lacks.
///
/// It is known by its file and by all that it says of itself, its name, author and version: another plugin,
/// or another version, that only has the file's name in common may keep what the known one does not, and may
/// leave pixels out.
[[nodiscard]] Memory known_frei0r_memory(const Description& description);

}  // namespace submix::plugin
