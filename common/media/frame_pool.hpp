// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/frame.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>

namespace submix::media {

namespace detail {
struct PoolStorage;
}

/// What a pool's frames lie in. Shared: other processes can map it (see SharedMemory), each frame by itself;
/// the kernel gives it huge pages only where /sys/kernel/mm/transparent_hugepage/shmem_enabled is "advise" or
/// more.
enum class Backing { own, shared };

/// Fixed set of frames of one size and format, lent out and taken back without allocating.
///
/// Owner    A Frame keeps its seat until its last copy dies, even after the pool is gone.
/// Threads  Synchronized.
/// Cost     acquire: one short lock, no allocation, no page fault: the constructor maps and touches all.
/// Errors   acquire: empty when all seats are out; the engine then waits, it never drops.
class FramePool {
 public:
  /// Where there is no shared memory left, the frames are this process's own.
  FramePool(Size size, std::size_t capacity, Backing backing = Backing::own,
            PixelFormat format = PixelFormat::rgba);

  [[nodiscard]] std::optional<WritableFrame> try_acquire();
  /// Waits for a free seat, at most `patience`.
  [[nodiscard]] std::optional<WritableFrame> acquire_for(std::chrono::nanoseconds patience);

  [[nodiscard]] Size size() const;
  [[nodiscard]] std::size_t capacity() const;
  [[nodiscard]] std::size_t seats_free() const;

 private:
  std::shared_ptr<detail::PoolStorage> storage_;
};

}  // namespace submix::media
