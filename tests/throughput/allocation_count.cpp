// SPDX-License-Identifier: GPL-3.0-or-later
// A program that links this file counts: its operator new takes the library's place.
#include "tests/throughput/allocation_count.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

namespace submix::throughput {
bool can_count_allocations() {
  return false;
}
std::uint64_t allocation_count() {
  return 0;
}
}  // namespace submix::throughput

#else

namespace {

std::atomic<std::uint64_t> allocations{0};  // relaxed: it publishes nothing but itself

void* allocate(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* place = std::malloc(bytes == 0 ? 1 : bytes)) return place;
  throw std::bad_alloc();
}

void* allocate(std::size_t bytes, std::align_val_t alignment) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  const auto unit = static_cast<std::size_t>(alignment);
  if (void* place = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit)) return place;
  throw std::bad_alloc();
}

}  // namespace

namespace submix::throughput {
bool can_count_allocations() {
  return true;
}
std::uint64_t allocation_count() {
  return allocations.load(std::memory_order_relaxed);
}
}  // namespace submix::throughput

// The array and nothrow forms of the library call these.
void* operator new(std::size_t bytes) {
  return allocate(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, alignment);
}
void operator delete(void* place) noexcept {
  std::free(place);
}
void operator delete(void* place, std::size_t) noexcept {
  std::free(place);
}
void operator delete(void* place, std::align_val_t) noexcept {
  std::free(place);
}
void operator delete(void* place, std::size_t, std::align_val_t) noexcept {
  std::free(place);
}

#endif
