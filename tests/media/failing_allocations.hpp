// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix::testing {

/// While it lives, this thread's operator new fails after `allocations` successful calls.
class FailingAllocations {
 public:
  explicit FailingAllocations(int allocations);
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;
  ~FailingAllocations();
};

}  // namespace submix::testing
