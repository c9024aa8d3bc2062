// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace submix::simulation {

enum class IncidentKind {
  slow_link,    ///< a link carries a tenth of what it did
  absent_node,  ///< a node dies, and returns
  broken_slot,  ///< a plugin crashes until its input is passed on
};

/// Something that goes wrong for a while.
struct Incident {
  IncidentKind kind = IncidentKind::slow_link;
  std::uint64_t victim = 0;  ///< an arbitrary number: modulo how many there are
  bool is_over = false;      ///< it begins, or it ends
};

inline constexpr std::chrono::seconds kIncidentCycle(60);

/// What begins or ends after `from`, up to and with `to`; times since the simulation began. A minute has one
/// of each, with quiet times between, the same for the same seed.
[[nodiscard]] std::vector<Incident> incidents_within(std::uint64_t seed,
                                                     std::chrono::nanoseconds from,
                                                     std::chrono::nanoseconds to);

}  // namespace submix::simulation
