// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace submix::host {

/// The life of a process that looks at plugins' libraries: confined before it loads any; then a report for
/// each file that the node names, until the node hangs up. Expects the channel at its descriptor
/// (control_block.hpp). Returns the exit status.
[[nodiscard]] int run_probe(const std::vector<std::filesystem::path>& folders);

}  // namespace submix::host
