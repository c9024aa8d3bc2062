// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>

/// What a show holds after the cluster's clock was set back: changes that seem to begin in an hour,
/// or in years.
namespace submix::show {

/// Far longer than any announcement, and than the clocks of two writers differ.
inline constexpr std::chrono::milliseconds kAnnouncedAheadMax{10'000};

/// Whether a change at `since` was announced before the clock was set back. `at`: the announced
/// time of a change that is made now.
[[nodiscard]] constexpr bool is_of_former_clock(std::chrono::milliseconds since,
                                                std::chrono::milliseconds at) {
  return since > at + kAnnouncedAheadMax;
}

/// When a change that is announced for `at` begins: not before the change at `former`, unless the
/// clock was set back after that.
[[nodiscard]] constexpr std::chrono::milliseconds begin_of_change(std::chrono::milliseconds former,
                                                                  std::chrono::milliseconds at) {
  return is_of_former_clock(former, at) ? at : std::max(at, former);
}

}  // namespace submix::show
