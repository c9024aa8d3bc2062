// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/finding.hpp"
#include "common/base/network.hpp"
#include "common/base/result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace submix::doctor {

/// An address at which another node waits for streams.
struct Target {
  std::string node;
  std::string address = {};  ///< IPv4 or IPv6
  std::uint16_t port = 0;

  friend bool operator==(const Target&, const Target&) = default;
};

/// Reads "left=198.18.0.2:7400" or "left=[fd00::2]:7400".
[[nodiscard]] Result<Target> parse_target(std::string_view text);

/// Those targets that a cable of this PC leads to: of its own subnets.
[[nodiscard]] std::vector<Target> near_targets(std::span<const Target> targets,
                                               std::span<const NetworkInterface> interfaces);

/// A note for each node of `all` that has no address among `near`.
[[nodiscard]] Findings examine_distant_nodes(std::span<const Target> all,
                                             std::span<const Target> near);

/// Connects to all targets at once, and ends each connection again at once.
///
/// Cost     Blocks up to two seconds.
[[nodiscard]] Findings try_targets(std::span<const Target> targets);

}  // namespace submix::doctor
