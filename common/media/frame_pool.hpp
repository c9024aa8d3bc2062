// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/frame.hpp"
#include "common/media/pixel_store.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace submix::media {

namespace detail {
struct PoolStorage;
}

/// What a pool's frames lie in. Shared: other processes can map it (see SharedMemory), each frame by itself;
/// before Linux 6.1 it has huge pages only where /sys/kernel/mm/transparent_hugepage/shmem_enabled is
/// "advise" or more. So that a frame has them there as well, it may take up to a third more memory.
enum class Backing { own, shared };

/// How a seat of a pool was used when it was looked at: for instruments.
struct SeatNote {
  const void* seat = nullptr;  ///< as Frame::seat()
  bool is_free = false;
  bool is_published = false;  ///< it is a Frame; else somebody writes it
  std::uint64_t holders = 0;  ///< see Frame::add_holders()
  std::uint64_t takers = 0;   ///< whoever had it in their hands since it was lent
  std::uint64_t loans =
      0;  ///< how often it was lent: of two looks the later one sees whether it moved
};

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
  /// Its frames lie in a store that it shares with others; RGBA, this process's own.
  FramePool(Size size, std::size_t capacity, std::shared_ptr<PixelStore> store);

  /// Of memory for each of its frames.
  [[nodiscard]] static std::size_t seat_bytes(Size size, Backing backing,
                                              PixelFormat format = PixelFormat::rgba);

  [[nodiscard]] std::optional<WritableFrame> try_acquire();
  /// Waits for a free seat, at most `patience`.
  [[nodiscard]] std::optional<WritableFrame> acquire_for(std::chrono::nanoseconds patience);

  [[nodiscard]] Size size() const;
  [[nodiscard]] std::size_t capacity() const;
  [[nodiscard]] std::size_t seats_free() const;
  /// Whether other processes can map its frames.
  [[nodiscard]] bool is_shared() const;
  /// Of all seats, always in the same order.
  [[nodiscard]] std::vector<SeatNote> notes() const;

 private:
  std::shared_ptr<detail::PoolStorage> storage_;
};

}  // namespace submix::media
