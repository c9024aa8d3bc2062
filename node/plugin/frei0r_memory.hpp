// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/plugin/description.hpp"

#include <filesystem>

namespace submix::plugin {

/// Runs instances of a filter or mixer side by side, some of which have seen other frames before, through
/// several values of their parameters: it keeps none where all draw the same pictures.
///
/// Cost     Seconds for the slowest. Whatever the plugin does wrong, it does in this process.
/// Errors   The library cannot be loaded, no instance can be made.
[[nodiscard]] Result<Memory> probe_frei0r_memory(const std::filesystem::path& file);

}  // namespace submix::plugin
