// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// Counts how often this process allocates memory. A program that calls these functions counts: its
/// own operator new replaces the library's, for a few nanoseconds a call.
namespace submix {

/// False under a sanitizer, which has its own operator new; the counts are then 0.
[[nodiscard]] bool can_count_allocations();
/// Calls of operator new since the start, by all threads. Synchronized.
[[nodiscard]] std::uint64_t allocation_count();
/// Calls of operator new by the calling thread.
[[nodiscard]] std::uint64_t thread_allocation_count();
/// Calls by the threads that compute or carry frames: start_thread() with an urgency. Synchronized.
[[nodiscard]] std::uint64_t frame_allocation_count();

}  // namespace submix
