// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/allocation_count.hpp"

#include "common/base/thread.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace submix {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCanCount = false;
#else
constexpr bool kCanCount = true;
#endif

// Both relaxed: the counters publish nothing but themselves.
std::atomic<std::uint64_t> allocations{0};
std::atomic<std::uint64_t> frame_allocations{0};
thread_local std::uint64_t own_allocations = 0;

}  // namespace

bool can_count_allocations() {
  return kCanCount;
}
std::uint64_t allocation_count() {
  return allocations.load(std::memory_order_relaxed);
}
std::uint64_t thread_allocation_count() {
  return own_allocations;
}
std::uint64_t frame_allocation_count() {
  return frame_allocations.load(std::memory_order_relaxed);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {

void count() {
  allocations.fetch_add(1, std::memory_order_relaxed);
  ++own_allocations;
  if (is_frame_thread()) frame_allocations.fetch_add(1, std::memory_order_relaxed);
}

void* allocate(std::size_t bytes) {
  count();
  if (void* place = std::malloc(bytes == 0 ? 1 : bytes)) return place;
  throw std::bad_alloc();
}

void* allocate(std::size_t bytes, std::align_val_t alignment) {
  count();
  const auto unit = static_cast<std::size_t>(alignment);
  if (void* place = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit)) return place;
  throw std::bad_alloc();
}

}  // namespace
}  // namespace submix

// The library's array and nothrow forms call these functions.
void* operator new(std::size_t bytes) {
  return submix::allocate(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return submix::allocate(bytes, alignment);
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

#else
}  // namespace submix
#endif
