// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace submix::link {

/// The shortest way there and back that TCP has seen lately, which is the way's own, without what queues on
/// it; 0: none yet. Any thread; one system call.
[[nodiscard]] std::chrono::microseconds least_round_trip(int descriptor);

}  // namespace submix::link
