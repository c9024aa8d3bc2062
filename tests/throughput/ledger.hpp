// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace submix::throughput {

/// The times of one frame in nanoseconds of CLOCK_MONOTONIC (0: not yet), and the bytes that waited
/// behind it.
struct FrameTimes {
  std::int64_t due = 0;       ///< by the frame rate; at full speed the same as offered
  std::int64_t offered = 0;   ///< handed to the stream, which may then wait for credit
  std::int64_t begun = 0;     ///< the transport has begun to take it: there was credit
  std::int64_t released = 0;  ///< complete at the receiving program
  /// Bytes of later frames that had arrived at the release but were not taken yet.
  std::int64_t waiting_bytes = 0;
};

/// The measured frames of a stream: begin to end - 1. The sender writes the window before it offers
/// them.
struct Window {
  static constexpr std::uint64_t kOpen = ~std::uint64_t{0};

  std::atomic<std::uint64_t> begin{kOpen};
  std::atomic<std::uint64_t> end{kOpen};
};

/// Shared memory for the times of every frame. Both processes of a measurement write it; the
/// process that started them reads it.
///
/// Shape    streams x frames_max entries. All memory is touched at the beginning, so writing faults
///          no page.
/// Owner    The memory lives as long as a process maps it. Children inherit descriptor().
/// Threads  Windows: Synchronized. A member of an entry has one writer. It is read after the writer
///          has ended.
class Ledger {
 public:
  struct Shape {
    std::size_t streams = 1;
    std::size_t frames_max = 0;
  };

  [[nodiscard]] static Result<Ledger> create(Shape shape);
  /// Takes over the descriptor.
  [[nodiscard]] static Result<Ledger> attach(int descriptor);
  Ledger(Ledger&& other) noexcept { swap(other); }
  Ledger& operator=(Ledger&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Ledger();

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] Shape shape() const { return shape_; }
  [[nodiscard]] Window& window(std::size_t stream) const;
  [[nodiscard]] FrameTimes& times(std::size_t stream, std::uint64_t index) const;

 private:
  Ledger(int descriptor, Shape shape, void* memory)
      : descriptor_(descriptor), shape_(shape), memory_(static_cast<std::byte*>(memory)) {}
  void swap(Ledger& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(shape_, other.shape_);
    std::swap(memory_, other.memory_);
  }

  int descriptor_ = -1;
  Shape shape_;
  std::byte* memory_ = nullptr;
};

}  // namespace submix::throughput
