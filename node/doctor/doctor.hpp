// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/finding.hpp"
#include "node/doctor/examine.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace submix::doctor {

/// What a run looks at.
struct Examination {
  Rights rights;
  std::uint64_t memory_available_bytes = 0;
  std::filesystem::path recordings_folder;
  std::vector<std::string> targets;  ///< other nodes: see parse_target()
  bool is_mending = false;           ///< mends first
};

/// Looks at everything, in the order in which a person would.
///
/// Cost     Blocks up to 2 s for nodes that do not answer.
[[nodiscard]] Findings examine_pc(const Examination& examination);

/// A finding as one line of JSON: grade, subject, found, remedy, can_mend.
[[nodiscard]] std::string json_line(const Finding& finding);

}  // namespace submix::doctor
