// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/finding.hpp"

#include <filesystem>

namespace submix::doctor {

/// Mends what needs no decision of a person: processor frequencies, and the right to real-time
/// scheduling of the person who called sudo. Leaves alone what is right already. Needs root.
///
/// Returns  What was mended, and what could not be.
[[nodiscard]] Findings mend(const std::filesystem::path& root = "/");

/// Sets the governor "performance" for each processor below `root`, until the next start.
[[nodiscard]] Findings mend_governors(const std::filesystem::path& root);

}  // namespace submix::doctor
