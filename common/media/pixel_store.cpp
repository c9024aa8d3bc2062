// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/pixel_store.hpp"

#include "common/base/assert.hpp"

#include <sched.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

// Why a pool always finds a place: the chunks not withdrawn have as many places as the living pools
// have seats, and a pool asks only while it has a free seat. Withdrawn places that are still lent
// increase the number of free places.

namespace submix::media {
namespace {

constexpr std::size_t kCacheLineBytes = 64;

}  // namespace

struct PixelStore::Chunk {
  MappedMemory memory;
  std::size_t places;  // places lent or free
  bool is_withdrawn = false;
};

PixelStore::PixelStore(std::size_t place_bytes)
    : place_bytes_((place_bytes + kCacheLineBytes - 1) / kCacheLineBytes * kCacheLineBytes) {}

PixelStore::~PixelStore() = default;

PixelStore::Chunk& PixelStore::add(std::size_t places) {
  auto memory = MappedMemory::own(place_bytes_ * places);
  if (!memory) throw std::bad_alloc();
  const MutexLock lock(mutex_);
  std::size_t all = places;
  for (const auto& each : chunks_)
    all += each.places;
  free_.reserve(all);  // first: if it throws, nothing was added
  auto& chunk = chunks_.emplace_back(Chunk{std::move(*memory), places});
  for (std::size_t i = 0; i < places; ++i)
    free_.push_back({chunk.memory.data() + i * place_bytes_, &chunk});
  return chunk;
}

void PixelStore::withdraw(Chunk& chunk) {
  Chunks unused;
  const MutexLock lock(mutex_);
  chunk.is_withdrawn = true;
  unused =
      drop(chunk, std::erase_if(free_, [&](const Place& place) { return place.chunk == &chunk; }));
}

PixelStore::Place PixelStore::take() {
  const MutexLock lock(mutex_);
  SUBMIX_ASSERT(!free_.empty());
  const int core = ::sched_getcpu();
  const auto own = std::find_if(free_.rbegin(), free_.rend(),
                                [core](const Place& place) { return place.core == core; });
  const auto taken = own == free_.rend() ? std::prev(free_.end()) : std::prev(own.base());
  auto place = *taken;
  free_.erase(taken);
  place.core = core;
  return place;
}

void PixelStore::give_back(Place place) {
  Chunks unused;
  const MutexLock lock(mutex_);
  if (!place.chunk->is_withdrawn) return free_.push_back(place);
  unused = drop(*place.chunk, 1);
}

PixelStore::Chunks PixelStore::drop(Chunk& chunk, std::size_t places) {
  Chunks unused;
  chunk.places -= places;
  if (chunk.places > 0) return unused;
  const auto found = std::find_if(chunks_.begin(), chunks_.end(),
                                  [&](const Chunk& each) { return &each == &chunk; });
  unused.splice(unused.begin(), chunks_, found);
  return unused;
}

std::size_t PixelStore::places() const {
  const MutexLock lock(mutex_);
  std::size_t sum = 0;
  for (const auto& chunk : chunks_)
    sum += chunk.places;
  return sum;
}

}  // namespace submix::media
