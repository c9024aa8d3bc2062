// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace submix::simulation {

enum class IncidentKind {
  slow_link,    ///< a link carries a tenth of its former rate
  absent_node,  ///< a node dies and returns
  broken_slot,  ///< a plugin crashes until its input is passed on
};

/// A fault that lasts for a while.
struct Incident {
  IncidentKind kind = IncidentKind::slow_link;
  std::uint64_t victim = 0;  ///< an arbitrary number, taken modulo the number of candidates
  bool is_over = false;      ///< true: the incident ends; false: it begins
};

inline constexpr std::chrono::seconds kIncidentCycle(60);

/// The incidents that begin or end after `from`, up to and including `to`; both are times since the
/// simulation began. Each minute has one of each kind, with quiet times between, the same for the
/// same seed.
[[nodiscard]] std::vector<Incident> incidents_within(std::uint64_t seed,
                                                     std::chrono::nanoseconds from,
                                                     std::chrono::nanoseconds to);

}  // namespace submix::simulation
