// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/finding.hpp"

#include <filesystem>
#include <string>

namespace submix::doctor {

/// Mends what needs no decision of a person: processor frequencies, and the right to real-time
/// scheduling of the person who called sudo. Leaves alone what is right already. Needs root.
///
/// Returns  What was mended, and what could not be.
[[nodiscard]] Findings mend();

/// Sets the governor "performance" for each processor below `root`, until the next start.
[[nodiscard]] Findings mend_governors(const std::filesystem::path& root);

/// Permits real-time scheduling and locked memory to `user`, by a file of limits below `root`.
[[nodiscard]] Findings permit_by_limits(const std::filesystem::path& root, const std::string& user);

}  // namespace submix::doctor
