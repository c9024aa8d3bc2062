// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/finding.hpp"

#include <stop_token>
#include <string>
#include <vector>

namespace submix::local {

struct PcCheck {
  std::string recordings;            ///< folder; empty: the current one
  std::vector<std::string> targets;  ///< other nodes: "left=198.18.0.2:7400"
  bool is_mending = false;           ///< mends first what needs no decision; as root
};

/// Asks submix-node, which knows the rights of its own file, what this PC lacks for a show.
///
/// Cost     Blocks for up to 10 s (40 s if it mends), or until `stop` is requested: cards at USB
///          may take seconds to tell their speed.
/// Errors   Are findings.
[[nodiscard]] Findings check_pc(const PcCheck& check, const std::stop_token& stop = {});

/// All of it in one sentence.
[[nodiscard]] std::string verdict_of(const Findings& findings);
/// Whether a show would suffer.
[[nodiscard]] bool is_any_bad(const Findings& findings);

}  // namespace submix::local
