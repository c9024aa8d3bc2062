// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace submix::wire {

/// The greatest epoch of any sender: the beginning of the year 2200 in nanoseconds since 1970.
inline constexpr std::uint64_t kEpochMax = 7'258'118'400'000'000'000;

/// A time before the beginning of 2026 is wrong: the machine has no clock, or has not set it yet.
inline constexpr std::chrono::seconds kClockIsSetFrom{1'767'225'600};

/// Epochs follow the time of day, and clocks may be wrong by minutes or by a few years. An epoch
/// further ahead is invalid: a sender that accepted it would have no greater epoch left.
inline constexpr std::chrono::hours kEpochLeadMax{10 * 365 * 24};

/// A machine without a clock cannot judge other clocks so strictly.
inline constexpr std::chrono::hours kEpochLeadMaxWithoutClock{20 * 365 * 24};

/// The greatest epoch accepted by a node whose clock shows `time_of_day`, in nanoseconds since
/// 1970.
[[nodiscard]] constexpr std::uint64_t believed_epoch_max(std::chrono::nanoseconds time_of_day) {
  const std::chrono::nanoseconds ceiling{static_cast<std::int64_t>(kEpochMax)};
  const bool has_clock = time_of_day >= kClockIsSetFrom;
  const std::chrono::nanoseconds now = has_clock ? std::min(time_of_day, ceiling) : kClockIsSetFrom;
  const auto lead = has_clock ? kEpochLeadMax : kEpochLeadMaxWithoutClock;
  // The sum stays below 2^63
  return static_cast<std::uint64_t>(std::min(now + lead, ceiling).count());
}

/// The greatest epoch that a node gives its own senders. Other nodes must accept it.
[[nodiscard]] constexpr std::uint64_t given_epoch_max(std::chrono::nanoseconds time_of_day) {
  return believed_epoch_max(std::max<std::chrono::nanoseconds>(time_of_day, kClockIsSetFrom));
}

}  // namespace submix::wire
