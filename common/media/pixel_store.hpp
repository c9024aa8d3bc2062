// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/media/mapped_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

namespace submix::media {

/// Memory that several pools have in common: of the places that were last written on the same core, the one
/// that was given back last, and that is therefore still in its cache, is the next one that any of them
/// takes.
///
/// Shape    Places of `place_bytes`; each pool brings as many as it has seats, and takes no more at once.
/// Threads  Synchronized.
/// Cost     take(), give_back(): one short lock, no allocation. add() maps and touches all that it adds.
class PixelStore {
 public:
  struct Chunk;
  struct Place {
    std::uint8_t* pixels = nullptr;
    Chunk* chunk = nullptr;
    int core =
        -1;  ///< on which it was taken last: its cache may have it, and no other one's must be asked
  };

  /// Each place of so many bytes or a few more.
  explicit PixelStore(std::size_t place_bytes);
  PixelStore(const PixelStore&) = delete;
  PixelStore& operator=(const PixelStore&) = delete;
  ~PixelStore();

  /// So many places more, until they are withdrawn. Throws std::bad_alloc where there is no memory.
  [[nodiscard]] Chunk& add(std::size_t places) SUBMIX_EXCLUDES(mutex_);
  /// By who added them, once all that it had taken is given back. Those that others have are unmapped when
  /// these give them back.
  void withdraw(Chunk& chunk) SUBMIX_EXCLUDES(mutex_);

  [[nodiscard]] Place take() SUBMIX_EXCLUDES(mutex_);
  void give_back(Place place) SUBMIX_EXCLUDES(mutex_);

  [[nodiscard]] std::size_t place_bytes() const { return place_bytes_; }
  /// Those that are mapped, withdrawn ones included.
  [[nodiscard]] std::size_t places() const SUBMIX_EXCLUDES(mutex_);

 private:
  using Chunks = std::list<Chunk>;

  /// Takes out what is withdrawn and no longer in use: it is unmapped without the lock.
  [[nodiscard]] Chunks drop(Chunk& chunk, std::size_t places) SUBMIX_REQUIRES(mutex_);

  const std::size_t place_bytes_;
  mutable Mutex mutex_;
  Chunks chunks_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<Place> free_ SUBMIX_GUARDED_BY(mutex_);  // the hottest last, and taken first
};

}  // namespace submix::media
