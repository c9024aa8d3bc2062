// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/media/failing_allocations.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constexpr int kAll = -1;
thread_local int allocations_left = kAll;

}  // namespace

void* operator new(std::size_t bytes) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace submix::testing {

FailingAllocations::FailingAllocations(int allocations) {
  allocations_left = allocations;
}
FailingAllocations::~FailingAllocations() {
  allocations_left = kAll;
}

}  // namespace submix::testing
