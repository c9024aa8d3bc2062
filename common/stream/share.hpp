// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <span>

namespace submix::stream {

/// What gigabit Ethernet carries of TCP payload, at an MTU of 1500. Assumed of an unknown link.
inline constexpr double kGigabitBytesPerSecond = 119.5e6;

/// How fast a link carries, and how much work it already has.
struct LinkLoad {
  bool is_open = false;
  double bytes_per_second = 0;             ///< 0: no measurement yet
  double queued_bytes = 0;                 ///< bytes committed to the link and still waiting
  std::chrono::duration<double> delay{0};  ///< from departure here to arrival there
  bool is_lower_bound = false;  ///< the rate is only the demand so far; the link may be faster
};

/// How much of the unassigned `remaining_bytes` `link` should take so that all open links finish at
/// the same time. 0: the link's queued bytes alone take longer.
///
/// Shape    The shares of all open links sum to `remaining_bytes`, so with n links at least one
///          share is an n-th or more.
/// Source   Water-filling: links filled above the common level are left out, and the level is
///          computed again.
[[nodiscard]] double fair_share(std::span<const LinkLoad> links, std::size_t link,
                                double remaining_bytes);

/// A link's rate for planning. The measured rate, if the link was ever at its limit; else the rate
/// of the fastest link; else the rate of gigabit Ethernet.
[[nodiscard]] double planning_rate(std::span<const LinkLoad> links, std::size_t link);

}  // namespace submix::stream
