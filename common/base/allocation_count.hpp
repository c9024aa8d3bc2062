// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// How often this process asks for memory. A program that uses these functions counts: its operator new takes
/// the library's place, for a few nanoseconds a call.
namespace submix {

/// False under a sanitizer, which brings an operator new of its own; the counts are 0 then.
[[nodiscard]] bool can_count_allocations();
/// Calls of operator new so far, all threads. Synchronized.
[[nodiscard]] std::uint64_t allocation_count();
/// Of these, those of the calling thread.
[[nodiscard]] std::uint64_t thread_allocation_count();
/// Of all, those of threads that compute or carry frames (start_thread() with an urgency). Synchronized.
[[nodiscard]] std::uint64_t frame_allocation_count();

}  // namespace submix
