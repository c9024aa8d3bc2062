// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/plugin/description.hpp"

#include <filesystem>
#include <stop_token>

namespace submix::host {

/// Finds out what the plugin of the library `file` keeps of its frames, in a process of its own, confined as
/// a plugin host: `program` is submix-plugin-host.
///
/// Cost     Waits for its end, ten seconds at most.
/// Errors   Asked to stop; or it crashed, hung or could not be loaded: it says how.
[[nodiscard]] Result<plugin::Memory> probe_memory(const std::filesystem::path& program,
                                                  const std::filesystem::path& file,
                                                  const std::stop_token& stop = {});

}  // namespace submix::host
