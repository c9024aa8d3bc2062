// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/pixel_store.hpp"

#include "common/base/assert.hpp"

#include <sched.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <numeric>
#include <optional>
#include <utility>

// Why a pool always finds a place: the chunks not withdrawn have as many places as the living pools
// have seats, and a pool asks only while it has a free seat. Withdrawn places that are still lent
// increase the number of free places.

namespace submix::media {
namespace {

constexpr std::size_t kCacheLineBytes = 64;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

std::shared_ptr<SharedMemory> shared_memory_of(std::size_t bytes, Backing backing) {
  if (backing == Backing::own) return nullptr;
  return SharedMemory::create(bytes, Pages::later).value_or(nullptr);
}

}  // namespace

struct PixelStore::Chunk {
  Chunk(std::size_t bytes, Backing backing, std::size_t chunk_places)
      : shared(shared_memory_of(bytes, backing)), places(chunk_places) {
    if (shared) return;
    auto mapped = MappedMemory::own(bytes, Pages::later);
    if (!mapped) throw std::bad_alloc();
    own.emplace(std::move(*mapped));
  }

  [[nodiscard]] std::uint8_t* data() const { return shared ? shared->data() : own->data(); }
  [[nodiscard]] Result<void> touch(std::size_t offset_bytes, std::size_t bytes) const {
    return shared ? shared->touch(offset_bytes, bytes) : own->touch(offset_bytes, bytes);
  }

  std::shared_ptr<SharedMemory> shared;
  std::optional<MappedMemory> own;  // if the memory is not shared
  std::size_t places;               // places lent or free
  bool is_withdrawn = false;
};

PixelStore::PixelStore(std::size_t picture_bytes, Backing backing)
    : picture_bytes_(picture_bytes),
      backing_(backing),
      layout_(layout_of(picture_bytes, backing)) {}

PixelStore::~PixelStore() = default;

// Other processes map each shared picture by itself. So a picture that fills most of some huge
// pages has these pages to itself and ends at their end: writing past the end is still caught at
// once. On processors that forget their page tables at each process switch, this is worth up to a
// third more memory.
PixelStore::Layout PixelStore::layout_of(std::size_t picture_bytes, Backing backing) {
  if (backing == Backing::own) return {round_up(picture_bytes, kCacheLineBytes), 0};
  const auto in_pages = whole_pages(picture_bytes);
  const auto in_huge_pages = round_up(in_pages, MappedMemory::kHugePageBytes);
  const auto margin = in_huge_pages - in_pages;
  return margin <= in_pages / 3 ? Layout{in_huge_pages, margin} : Layout{in_pages, 0};
}

std::size_t PixelStore::place_bytes(std::size_t picture_bytes, Backing backing) {
  return layout_of(picture_bytes, backing).place_bytes;
}

PixelStore::Chunk& PixelStore::add(std::size_t places, std::size_t touched) {
  const auto [place_bytes, margin_bytes] = layout_;
  Chunks added;
  auto& chunk = added.emplace_back(place_bytes * places, backing_, places);
  if (chunk.shared && place_bytes % MappedMemory::kHugePageBytes == 0)
    chunk.shared->create_huge_pages(place_bytes * touched);
  if (!chunk.touch(0, place_bytes * touched)) throw std::bad_alloc();

  const MutexLock lock(mutex_);
  const auto all = places + places_of_all();
  free_.reserve(all);  // first: if it throws, nothing was added
  untouched_.reserve(all);
  chunks_.splice(chunks_.end(), added);
  for (std::size_t i = 0; i < places; ++i) {
    auto& list = i < touched ? free_ : untouched_;
    list.push_back({chunk.data() + i * place_bytes + margin_bytes, &chunk});
  }
  return chunk;
}

void PixelStore::withdraw(Chunk& chunk) {
  Chunks unused;
  const auto is_of_chunk = [&](const Place& place) { return place.chunk == &chunk; };
  const MutexLock lock(mutex_);
  chunk.is_withdrawn = true;
  unused = drop(chunk, std::erase_if(free_, is_of_chunk) + std::erase_if(untouched_, is_of_chunk));
}

// While its pages are created, a place counts as lent: its chunk stays.
void PixelStore::touch_spare(std::size_t places) {
  for (;;) {
    Place place;
    {
      const MutexLock lock(mutex_);
      if (free_.size() >= places || untouched_.empty()) return;
      place = untouched_.back();
      untouched_.pop_back();
    }
    const auto offset = static_cast<std::size_t>(place.pixels - place.chunk->data());
    const auto touched = place.chunk->touch(offset - layout_.margin_bytes, layout_.place_bytes);
    give_back(place);
    if (!touched) return;  // no memory is left
  }
}

PixelStore::Place PixelStore::take() {
  const MutexLock lock(mutex_);
  const int core = ::sched_getcpu();
  auto& list = free_.empty() ? untouched_ : free_;
  SUBMIX_ASSERT(!list.empty());
  const auto own = std::find_if(list.rbegin(), list.rend(),
                                [core](const Place& place) { return place.core == core; });
  const auto taken = own == list.rend() ? std::prev(list.end()) : std::prev(own.base());
  auto place = *taken;
  list.erase(taken);
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

bool PixelStore::is_shared(const Chunk& chunk) {
  return chunk.shared != nullptr;
}

const SharedMemory* PixelStore::shared_memory(const Place& place) {
  return place.chunk->shared.get();
}

std::size_t PixelStore::places() const {
  const MutexLock lock(mutex_);
  return places_of_all();
}

std::size_t PixelStore::places_touched() const {
  const MutexLock lock(mutex_);
  return places_of_all() - untouched_.size();
}

std::size_t PixelStore::places_of_all() const {
  return std::accumulate(chunks_.begin(), chunks_.end(), std::size_t{0},
                         [](std::size_t sum, const Chunk& chunk) { return sum + chunk.places; });
}

}  // namespace submix::media
