// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace submix::throughput {

/// When a frame did what; nanoseconds of CLOCK_MONOTONIC, 0: not yet. And what waited behind it then.
struct FrameTimes {
  std::int64_t due = 0;       ///< by the frame rate; as fast as it goes: same as offered
  std::int64_t offered = 0;   ///< handed to the stream, which may then wait for credit
  std::int64_t begun = 0;     ///< the transport has begun to take it: there was credit
  std::int64_t released = 0;  ///< whole, at the receiving program
  std::int64_t waiting_bytes =
      0;  ///< of later frames: had come when it was released, but were not taken yet
};

/// What of a stream is measured: the frames begin to end - 1. The sender writes it before it offers them.
struct Window {
  static constexpr std::uint64_t kOpen = ~std::uint64_t{0};

  std::atomic<std::uint64_t> begin{kOpen};
  std::atomic<std::uint64_t> end{kOpen};
};

/// Shared memory in which both processes of a measurement note the times of every frame, and the one that
/// started them reads.
///
/// Shape    streams x frames_max entries, in memory from the beginning: noting one faults no page.
/// Owner    The memory lives as long as anyone maps it. descriptor() is inherited by children.
/// Threads  Windows: Synchronized. An entry's member has one writer and is read once that has finished.
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
