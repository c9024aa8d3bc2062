// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/frame_pool.hpp"

#include "common/base/assert.hpp"
#include "common/base/mutex.hpp"
#include "common/media/mapped_memory.hpp"
#include "common/media/pool_seat.hpp"
#include "common/media/shared_memory.hpp"

#include <cstddef>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace submix::media {
namespace detail {
namespace {

/// The layout of seats in a pool's memory.
struct SeatLayout {
  std::size_t seat_bytes;
  std::size_t margin_bytes;  // of `seat_bytes`, before the pixels
};

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

// Other processes map each shared picture by itself. So a picture that fills most of some huge
// pages has these pages to itself and ends at their end: writing past the end is still caught at
// once. On processors that forget their page tables at each process switch, this is worth up to a
// third more memory.
SeatLayout layout_of(Size size, PixelFormat format, Backing backing) {
  constexpr std::size_t kUnit = 64;
  const auto picture_bytes = size.pixels() * bytes_per_pixel(format);
  if (backing == Backing::own) return {round_up(picture_bytes, kUnit), 0};
  const auto in_pages = whole_pages(picture_bytes);
  const auto in_huge_pages = round_up(in_pages, MappedMemory::kHugePageBytes);
  const auto margin = in_huge_pages - in_pages;
  return margin <= in_pages / 3 ? SeatLayout{in_huge_pages, margin} : SeatLayout{in_pages, 0};
}

}  // namespace

struct PoolStorage final : SeatOwner {
  PoolStorage(Size frame_size, std::size_t capacity, Backing backing, PixelFormat pixel_format)
      : SeatOwner(frame_size, pixel_format), seats(capacity) {
    auto layout = layout_of(size, format, backing);
    if (backing == Backing::shared)
      shared = SharedMemory::create(layout.seat_bytes * capacity).value_or(nullptr);
    if (shared && layout.seat_bytes % MappedMemory::kHugePageBytes == 0) shared->join_pages();
    if (!shared) layout = layout_of(size, format, Backing::own);
    const auto [seat_bytes, margin_bytes] = layout;
    auto* pixels = shared ? shared->data() : map_own(seat_bytes * capacity);
    for (auto& seat : seats) {
      seat.pixels = std::exchange(pixels, pixels + seat_bytes) + margin_bytes;
      seat.memory = shared.get();
      seat.margin_bytes = margin_bytes;
    }
    free_all();
  }
  PoolStorage(Size frame_size, std::size_t capacity, std::shared_ptr<PixelStore> common_store)
      : SeatOwner(frame_size), seats(capacity), store(std::move(common_store)), places(capacity) {
    SUBMIX_ASSERT(store->place_bytes() >= size.pixels() * bytes_per_pixel(format));
    chunk = &store->add(capacity);
    free_all();
  }
  ~PoolStorage() override {
    if (chunk != nullptr) store->withdraw(*chunk);
  }

  void free_all() {
    const MutexLock lock(mutex);
    free.reserve(seats.size());
    for (auto& seat : seats) {
      seat.owner = this;
      free.push_back(&seat);
    }
  }

  [[nodiscard]] std::uint8_t* map_own(std::size_t bytes) {
    auto mapped = MappedMemory::own(bytes);
    if (!mapped) throw std::bad_alloc();
    return own.emplace(std::move(*mapped)).data();
  }

  [[nodiscard]] PixelStore::Place& place_of(const PoolSeat& seat) {
    return places[static_cast<std::size_t>(&seat - seats.data())];
  }

  [[nodiscard]] bool is_writable() const override { return true; }

  void take_back(PoolSeat& seat) override {
    if (store) store->give_back(place_of(seat));
    MutexLock lock(mutex);
    free.push_back(&seat);
    returned.notify_one();
  }

  std::shared_ptr<SharedMemory> shared;
  std::optional<MappedMemory> own;  // if the memory is neither shared nor in a store
  std::vector<PoolSeat> seats;

  // The members below: if a seat has its memory only while it is lent.
  std::shared_ptr<PixelStore> store;
  PixelStore::Chunk* chunk = nullptr;     // the places added by this pool
  std::vector<PixelStore::Place> places;  // for each seat; owned by the seat's holder

  Mutex mutex;
  Condition returned;
  std::vector<PoolSeat*> free SUBMIX_GUARDED_BY(mutex);  // the hottest seat last, and lent first
};

namespace {

std::span<std::uint8_t> pixels_of(PoolSeat& seat) {
  return {seat.pixels, seat.owner->size.pixels() * bytes_per_pixel(seat.owner->format)};
}

std::optional<SharedPlace> shared_place(const PoolSeat& seat) {
  if (seat.memory == nullptr) return std::nullopt;
  return SharedPlace{*seat.memory, static_cast<std::size_t>(seat.pixels - seat.memory->data()),
                     seat.margin_bytes};
}

void release(PoolSeat* seat) {
  // acq_rel: the last reader's reads come before the next writer's writes.
  if (seat == nullptr || seat->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const auto owner = std::exchange(seat->keeps_alive, nullptr);  // destroyed last
  owner->take_back(*seat);
}

PoolSeat* lend(const std::shared_ptr<PoolStorage>& storage) SUBMIX_REQUIRES(storage->mutex) {
  if (storage->free.empty()) return nullptr;
  auto* seat = storage->free.back();
  storage->free.pop_back();
  if (storage->store) {
    auto& place = storage->place_of(*seat);
    place = storage->store->take();
    seat->pixels = place.pixels;
  }
  seat->keeps_alive = storage;
  ++seat->loans;
  seat->stamp = {};
  seat->is_published.store(false, std::memory_order_relaxed);
  seat->holders.store(0, std::memory_order_relaxed);
  seat->takers.store(0, std::memory_order_relaxed);
  seat->references.store(1, std::memory_order_relaxed);  // the lock publishes it
  return seat;
}

}  // namespace
}  // namespace detail

Frame::Frame(const Frame& other) : seat_(other.seat_) {
  if (seat_ != nullptr)
    seat_->references.fetch_add(1, std::memory_order_relaxed);  // `other` holds a reference
}
Frame::Frame(Frame&& other) noexcept : seat_(std::exchange(other.seat_, nullptr)) {}
Frame& Frame::operator=(Frame other) noexcept {
  std::swap(seat_, other.seat_);
  return *this;
}
Frame::~Frame() {
  detail::release(seat_);
}

Size Frame::size() const {
  return seat_->owner->size;
}
PixelFormat Frame::format() const {
  return seat_->owner->format;
}
const FrameStamp& Frame::stamp() const {
  return seat_->stamp;
}
std::span<const std::uint8_t> Frame::pixels() const {
  return detail::pixels_of(*seat_);
}
std::span<const std::uint8_t> Frame::rgba() const {
  SUBMIX_ASSERT(format() == PixelFormat::rgba);
  return pixels();
}
std::optional<SharedPlace> Frame::shared_place() const {
  return detail::shared_place(*seat_);
}
std::uint32_t Frame::references() const {
  return seat_->references.load(std::memory_order_relaxed);
}
void Frame::add_holders(std::uint64_t marks) const {
  seat_->holders.fetch_or(marks, std::memory_order_relaxed);
  seat_->takers.fetch_or(marks, std::memory_order_relaxed);
}
void Frame::remove_holders(std::uint64_t marks) const {
  seat_->holders.fetch_and(~marks, std::memory_order_relaxed);
}
std::optional<WritableFrame> Frame::take_for_writing() {
  // acquire: earlier holders' reads come before the new writes.
  if (seat_ == nullptr || !seat_->owner->is_writable() ||
      seat_->references.load(std::memory_order_acquire) != 1)
    return std::nullopt;
  return WritableFrame(std::exchange(seat_, nullptr));
}

WritableFrame::WritableFrame(WritableFrame&& other) noexcept
    : seat_(std::exchange(other.seat_, nullptr)) {}
WritableFrame& WritableFrame::operator=(WritableFrame&& other) noexcept {
  std::swap(seat_, other.seat_);
  return *this;
}
WritableFrame::~WritableFrame() {
  detail::release(seat_);
}

Size WritableFrame::size() const {
  return seat_->owner->size;
}
FrameStamp& WritableFrame::stamp() {
  return seat_->stamp;
}
PixelFormat WritableFrame::format() const {
  return seat_->owner->format;
}
std::span<std::uint8_t> WritableFrame::pixels() {
  return detail::pixels_of(*seat_);
}
std::span<std::uint8_t> WritableFrame::rgba() {
  SUBMIX_ASSERT(format() == PixelFormat::rgba);
  return pixels();
}
std::optional<SharedPlace> WritableFrame::shared_place() const {
  return detail::shared_place(*seat_);
}
Frame WritableFrame::publish() && {
  seat_->is_published.store(true, std::memory_order_relaxed);
  return Frame(std::exchange(seat_, nullptr));
}

FramePool::FramePool(Size size, std::size_t capacity, Backing backing, PixelFormat format)
    : storage_(std::make_shared<detail::PoolStorage>(size, capacity, backing, format)) {
  SUBMIX_ASSERT(is_allowed(size) && capacity > 0);
}

FramePool::FramePool(Size size, std::size_t capacity, std::shared_ptr<PixelStore> store)
    : storage_(std::make_shared<detail::PoolStorage>(size, capacity, std::move(store))) {
  SUBMIX_ASSERT(is_allowed(size) && capacity > 0);
}

std::size_t FramePool::seat_bytes(Size size, Backing backing, PixelFormat format) {
  return detail::layout_of(size, format, backing).seat_bytes;
}

std::optional<WritableFrame> FramePool::try_acquire() {
  return acquire_for(std::chrono::nanoseconds(0));
}

std::optional<WritableFrame> FramePool::acquire_for(std::chrono::nanoseconds patience) {
  MutexLock lock(storage_->mutex);
  auto* seat = detail::lend(storage_);
  if (seat == nullptr && patience.count() > 0) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while ((seat = detail::lend(storage_)) == nullptr) {
      if (storage_->returned.wait_until(storage_->mutex, deadline) == std::cv_status::timeout)
        break;
    }
  }
  if (seat == nullptr) return std::nullopt;
  return WritableFrame(seat);
}

Size FramePool::size() const {
  return storage_->size;
}
std::size_t FramePool::capacity() const {
  return storage_->seats.size();
}
std::size_t FramePool::seats_free() const {
  MutexLock lock(storage_->mutex);
  return storage_->free.size();
}

bool FramePool::is_shared() const {
  return storage_->shared != nullptr;
}

// The lock covers only the members it guards; marks are read as they are.
std::vector<SeatNote> FramePool::notes() const {
  auto& seats = storage_->seats;
  std::vector<SeatNote> notes(seats.size());
  {
    const MutexLock lock(storage_->mutex);
    for (const auto* seat : storage_->free)
      notes[static_cast<std::size_t>(seat - seats.data())].is_free = true;
    for (std::size_t i = 0; i < notes.size(); ++i)
      notes[i].loans = seats[i].loans;
  }
  for (std::size_t i = 0; i < notes.size(); ++i) {
    notes[i].seat = &seats[i];
    notes[i].is_published = seats[i].is_published.load(std::memory_order_relaxed);
    notes[i].holders = seats[i].holders.load(std::memory_order_relaxed);
    notes[i].takers = seats[i].takers.load(std::memory_order_relaxed);
  }
  return notes;
}

}  // namespace submix::media
