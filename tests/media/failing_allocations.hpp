// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix::testing {

/// Whether FailingAllocations works: the thread sanitizer keeps its own operator new.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kCanFailAllocations = false;
#else
inline constexpr bool kCanFailAllocations = true;
#endif

/// While it lives, this thread's operator new fails after `allocations` successful calls.
class FailingAllocations {
 public:
  explicit FailingAllocations(int allocations);
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;
  ~FailingAllocations();
};

}  // namespace submix::testing
