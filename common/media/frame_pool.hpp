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

/// The use of a pool's seat at the moment of a look, for instruments.
struct SeatNote {
  const void* seat = nullptr;  ///< as Frame::seat()
  bool is_free = false;
  bool is_published = false;  ///< a Frame; otherwise it is being written
  std::uint64_t holders = 0;  ///< see Frame::add_holders()
  std::uint64_t takers = 0;   ///< marks of all holders since the seat was lent
  /// how often the seat was lent; a change between two looks shows that the seat moved
  std::uint64_t loans = 0;
};

/// Fixed set of frames of the same size and format, lent out and taken back without allocating.
///
/// Owner    A Frame keeps its seat until its last copy is gone, even after the pool is gone.
/// Threads  Synchronized.
/// Cost     acquire: a short lock, no allocation.
/// Errors   acquire: empty when all seats are out; the engine then waits, it never drops.
class FramePool {
 public:
  /// With memory for all frames from the beginning. If no shared memory is left, the frames are
  /// private to this process.
  FramePool(Size size, std::size_t capacity, Backing backing = Backing::own,
            PixelFormat format = PixelFormat::rgba);
  /// The frames lie in a store, which other pools may share. Memory for `touched` of them is there
  /// from the beginning, more as it is used or touched.
  FramePool(Size size, std::size_t capacity, std::size_t touched, std::shared_ptr<PixelStore> store,
            PixelFormat format = PixelFormat::rgba);

  /// The memory that each frame takes.
  [[nodiscard]] static std::size_t seat_bytes(Size size, Backing backing,
                                              PixelFormat format = PixelFormat::rgba);

  [[nodiscard]] std::optional<WritableFrame> try_acquire();
  /// Waits for a free seat, at most `patience`.
  [[nodiscard]] std::optional<WritableFrame> acquire_for(std::chrono::nanoseconds patience);

  /// Prepares memory in the pool's store, so that its next `frames` frames need no page faults.
  void touch_spare(std::size_t frames);

  [[nodiscard]] Size size() const;
  [[nodiscard]] std::size_t capacity() const;
  [[nodiscard]] std::size_t seats_free() const;
  /// True: other processes can map the frames.
  [[nodiscard]] bool is_shared() const;
  /// Of all seats, always in the same order.
  [[nodiscard]] std::vector<SeatNote> notes() const;

 private:
  std::shared_ptr<detail::PoolStorage> storage_;
};

}  // namespace submix::media
