// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/realtime.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace submix {

/// Starts a thread named `name` (the kernel keeps 15 characters). The thread runs `body` with its
/// stop token. Its scheduling is raised by `urgency` where real-time threads are allowed.
[[nodiscard]] std::jthread start_thread(const std::string& name,
                                        std::function<void(std::stop_token)> body,
                                        Urgency urgency = Urgency::normal);

/// Whether the calling thread computes or carries frames: start_thread() gave it an urgency.
[[nodiscard]] bool is_frame_thread();

/// How long the calling thread has run on a core.
[[nodiscard]] std::chrono::nanoseconds thread_cpu_time();

/// How long the calling thread has been ready to run, but had no core: the kernel's "run delay".
/// Always 0 where /proc does not tell it, and where the thread may not open /proc before its first
/// call. Costs a system call of about a microsecond.
[[nodiscard]] std::chrono::nanoseconds thread_run_delay();

}  // namespace submix
