// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/media/mapped_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

namespace submix::media {

/// Memory shared by several pools. A pool takes the place returned last among the places last
/// written on the same core: its memory is most likely still in this core's cache.
///
/// Shape    Places of `place_bytes`; each pool adds as many as it has seats, and takes no more at
///          once.
/// Threads  Synchronized.
/// Cost     take(), give_back(): a short lock, no allocation. add() maps and touches all that it
///          adds.
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

  /// Each place has at least `place_bytes`.
  explicit PixelStore(std::size_t place_bytes);
  PixelStore(const PixelStore&) = delete;
  PixelStore& operator=(const PixelStore&) = delete;
  ~PixelStore();

  /// Adds places, until they are withdrawn. Throws std::bad_alloc if no memory is left.
  [[nodiscard]] Chunk& add(std::size_t places) SUBMIX_EXCLUDES(mutex_);
  /// Called by the pool that added the chunk, after it has given back all places it took. Places
  /// lent to other pools are unmapped when they return.
  void withdraw(Chunk& chunk) SUBMIX_EXCLUDES(mutex_);

  [[nodiscard]] Place take() SUBMIX_EXCLUDES(mutex_);
  void give_back(Place place) SUBMIX_EXCLUDES(mutex_);

  [[nodiscard]] std::size_t place_bytes() const { return place_bytes_; }
  /// Mapped places, withdrawn places included.
  [[nodiscard]] std::size_t places() const SUBMIX_EXCLUDES(mutex_);

 private:
  using Chunks = std::list<Chunk>;

  /// Removes withdrawn chunks without users. The caller unmaps them without the lock.
  [[nodiscard]] Chunks drop(Chunk& chunk, std::size_t places) SUBMIX_REQUIRES(mutex_);

  const std::size_t place_bytes_;
  mutable Mutex mutex_;
  Chunks chunks_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<Place> free_ SUBMIX_GUARDED_BY(mutex_);  // the hottest last, and taken first
};

}  // namespace submix::media
