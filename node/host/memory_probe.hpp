// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/plugin/description.hpp"

#include <filesystem>
#include <stop_token>

namespace submix::host {

/// Finds out what the plugin of the library `file` keeps of its frames. The trial runs in a process
/// of `program` (submix-plugin-host), confined as a plugin host is.
///
/// Cost     Waits for the process to end, ten seconds at most.
/// Errors   Stop requested, or how the process failed: crashed, hung, or could not load the
///          library.
[[nodiscard]] Result<plugin::Memory> probe_memory(const std::filesystem::path& program,
                                                  const std::filesystem::path& file,
                                                  const std::stop_token& stop = {});

}  // namespace submix::host
