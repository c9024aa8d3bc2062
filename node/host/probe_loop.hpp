// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace submix::host {

/// Runs a process that describes plugins' libraries. It is confined before it loads any library. It
/// sends a report for each file that the node names, until the node closes the channel. Expects the
/// channel at its descriptor (control_block.hpp). Returns the exit status.
[[nodiscard]] int run_probe(const std::vector<std::filesystem::path>& folders);

}  // namespace submix::host
