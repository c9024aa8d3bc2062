// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <stop_token>

namespace submix::host {

/// Waits until something can be read, or the other end is closed, or a process of that pidfd has ended;
/// false: the time was over before, or it was asked to stop, which is seen within 50 ms.
[[nodiscard]] bool wait_until_readable(int descriptor,
                                       std::chrono::steady_clock::time_point deadline,
                                       const std::stop_token& stop);

}  // namespace submix::host
