// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace submix::wire {

/// No sender's epoch is greater, so that there is always a greater one to be had. As nanoseconds, what a
/// clock shows in the year 2262.
inline constexpr std::uint64_t kEpochMax = std::uint64_t{1} << 63;

}  // namespace submix::wire
