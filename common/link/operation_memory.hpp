// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <utility>

namespace submix::link {

/// Memory for one pending Asio operation, so that a wait for a socket allocates nothing. Confined
/// (net).
class OperationMemory {
 public:
  OperationMemory() = default;
  OperationMemory(const OperationMemory&) = delete;
  OperationMemory& operator=(const OperationMemory&) = delete;

  void* allocate(std::size_t bytes) {
    if (is_used_ || bytes > room_.size()) return ::operator new(bytes);
    is_used_ = true;
    return room_.data();
  }
  void release(void* place) {
    if (place != room_.data()) return ::operator delete(place);
    is_used_ = false;
  }

 private:
  alignas(std::max_align_t) std::array<std::byte, 256> room_;
  bool is_used_ = false;
};

/// The allocator that Asio gets from a MemoryHandler; see with_memory().
template <typename T>
struct OperationAllocator {
  using value_type = T;

  explicit OperationAllocator(OperationMemory& room) : memory(&room) {}
  template <typename U>
  OperationAllocator(const OperationAllocator<U>& other)
      : memory(other.memory) {}  // implicit, as for any allocator
  T* allocate(std::size_t count) { return static_cast<T*>(memory->allocate(sizeof(T) * count)); }
  void deallocate(T* place, std::size_t) { memory->release(place); }
  template <typename U>
  bool operator==(const OperationAllocator<U>& other) const {
    return memory == other.memory;
  }

  OperationMemory* memory;
};

/// A handler whose operation lives in an OperationMemory. The handler must keep the memory alive.
template <typename Handler>
class MemoryHandler {
 public:
  using allocator_type = OperationAllocator<Handler>;

  MemoryHandler(OperationMemory& memory, Handler handler)
      : memory_(&memory), handler_(std::move(handler)) {}
  [[nodiscard]] allocator_type get_allocator() const { return allocator_type(*memory_); }
  template <typename... Args>
  void operator()(Args&&... args) {
    handler_(std::forward<Args>(args)...);
  }

 private:
  OperationMemory* memory_;
  Handler handler_;
};

template <typename Handler>
[[nodiscard]] MemoryHandler<Handler> with_memory(OperationMemory& memory, Handler handler) {
  return {memory, std::move(handler)};
}

}  // namespace submix::link
