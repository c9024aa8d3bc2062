// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/plugin/description.hpp"

#include <filesystem>

namespace submix::plugin {

/// Finds out whether a filter or mixer keeps frames. Runs instances side by side with several
/// parameter values; some instances have seen other frames before. A plugin whose instances all
/// draw the same pictures keeps nothing.
///
/// Cost     Seconds for the slowest plugin. The plugin runs in this process, with all its faults.
/// Errors   The library cannot be loaded, or no instance can be made.
[[nodiscard]] Result<Memory> probe_frei0r_memory(const std::filesystem::path& file);

}  // namespace submix::plugin
