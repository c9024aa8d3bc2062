// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <stop_token>

namespace submix::host {

/// Waits until `descriptor` is readable or its other end is closed, or the process of that pidfd
/// has ended. False: `deadline` came first, or a stop was requested (seen within 50 ms).
[[nodiscard]] bool wait_until_readable(int descriptor,
                                       std::chrono::steady_clock::time_point deadline,
                                       const std::stop_token& stop);

}  // namespace submix::host
