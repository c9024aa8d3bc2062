// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix::testing {

/// For as long as it lives this thread's operator new fails once it has succeeded so often.
class FailingAllocations {
 public:
  explicit FailingAllocations(int allocations);
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;
  ~FailingAllocations();
};

}  // namespace submix::testing
