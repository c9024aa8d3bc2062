// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace submix::throughput {

/// False under a sanitizer, which brings an operator new of its own.
[[nodiscard]] bool can_count_allocations();
/// Calls of operator new in this process so far. Synchronized.
[[nodiscard]] std::uint64_t allocation_count();

}  // namespace submix::throughput
