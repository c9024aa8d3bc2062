// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/media/mapped_memory.hpp"
#include "common/media/shared_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <vector>

namespace submix::media {

/// The memory of a store's places. Shared: other processes can map each place by itself (see
/// SharedMemory). Before Linux 6.1 shared memory gets huge pages only if
/// /sys/kernel/mm/transparent_hugepage/shmem_enabled is "advise" or more. To make huge pages
/// possible, a shared place may take up to a third more memory.
enum class Backing { own, shared };

/// Memory for the frames of one pool or several. A pool takes the place returned last among the
/// places last written on the same core: its memory is most likely still in this core's cache.
///
/// Shape    Each pool adds as many places as it has seats, and takes no more at once. A place has
///          pages only after it was taken or touched. Places with pages are taken first, so memory
///          follows use.
/// Threads  Synchronized.
/// Cost     take(), give_back(): a short lock, no allocation. The first write to a place without
///          pages takes about a millisecond for 4 MB; touch_spare() spares the frames this.
class PixelStore {
 public:
  struct Chunk;
  struct Place {
    std::uint8_t* pixels = nullptr;
    Chunk* chunk = nullptr;
    /// core on which the place was taken last; its cache may hold the pixels, so no other core's
    /// cache is asked
    int core = -1;
  };

  /// Each place has room for `picture_bytes`.
  explicit PixelStore(std::size_t picture_bytes, Backing backing = Backing::own);
  PixelStore(const PixelStore&) = delete;
  PixelStore& operator=(const PixelStore&) = delete;
  ~PixelStore();

  /// The memory that a place takes.
  [[nodiscard]] static std::size_t place_bytes(std::size_t picture_bytes, Backing backing);

  /// Adds places, until they are withdrawn; the first `touched` of them have pages. Where no shared
  /// memory is left, the places are private. Throws std::bad_alloc if no memory is left.
  [[nodiscard]] Chunk& add(std::size_t places, std::size_t touched) SUBMIX_EXCLUDES(mutex_);
  /// Called by the pool that added the chunk, after it has given back all places it took. Places
  /// lent to other pools are unmapped when they return.
  void withdraw(Chunk& chunk) SUBMIX_EXCLUDES(mutex_);
  /// Creates pages until `places` free places have some, or all have.
  void touch_spare(std::size_t places) SUBMIX_EXCLUDES(mutex_);

  [[nodiscard]] Place take() SUBMIX_EXCLUDES(mutex_);
  void give_back(Place place) SUBMIX_EXCLUDES(mutex_);
  /// False: no shared memory was left.
  [[nodiscard]] static bool is_shared(const Chunk& chunk);
  /// Where other processes find the place; null: nowhere.
  [[nodiscard]] static const SharedMemory* shared_memory(const Place& place);

  [[nodiscard]] std::size_t picture_bytes() const { return picture_bytes_; }
  /// Of each shared place, before the pixels.
  [[nodiscard]] std::size_t margin_bytes() const { return layout_.margin_bytes; }
  /// Mapped places, withdrawn places included.
  [[nodiscard]] std::size_t places() const SUBMIX_EXCLUDES(mutex_);
  /// Of these, places that have or had pages, lent places included.
  [[nodiscard]] std::size_t places_touched() const SUBMIX_EXCLUDES(mutex_);

 private:
  using Chunks = std::list<Chunk>;
  struct Layout {
    std::size_t place_bytes;
    std::size_t margin_bytes;  // of `place_bytes`, before the pixels
  };

  [[nodiscard]] static Layout layout_of(std::size_t picture_bytes, Backing backing);
  [[nodiscard]] std::size_t places_of_all() const SUBMIX_REQUIRES(mutex_);
  /// Removes withdrawn chunks without users. The caller unmaps them without the lock.
  [[nodiscard]] Chunks drop(Chunk& chunk, std::size_t places) SUBMIX_REQUIRES(mutex_);

  const std::size_t picture_bytes_;
  const Backing backing_;
  const Layout layout_;
  mutable Mutex mutex_;
  Chunks chunks_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<Place> free_ SUBMIX_GUARDED_BY(mutex_);       // the hottest last, and taken first
  std::vector<Place> untouched_ SUBMIX_GUARDED_BY(mutex_);  // taken when none of the others is free
};

}  // namespace submix::media
