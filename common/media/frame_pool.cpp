// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/frame_pool.hpp"

#include "common/base/assert.hpp"
#include "common/base/mutex.hpp"
#include "common/media/pool_seat.hpp"
#include "common/media/shared_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace submix::media {
namespace detail {

struct PoolStorage final : SeatOwner {
  PoolStorage(Size frame_size, std::size_t capacity, std::size_t touched,
              std::shared_ptr<PixelStore> pixel_store, PixelFormat pixel_format)
      : SeatOwner(frame_size, pixel_format),
        seats(capacity),
        store(std::move(pixel_store)),
        chunk(store->add(capacity, touched)),
        places(capacity) {
    SUBMIX_ASSERT(store->picture_bytes() >= size.pixels() * bytes_per_pixel(format));
    free_all();
  }
  ~PoolStorage() override { store->withdraw(chunk); }

  void free_all() {
    const MutexLock lock(mutex);
    free.reserve(seats.size());
    for (auto& seat : seats) {
      seat.owner = this;
      free.push_back(&seat);
    }
  }

  [[nodiscard]] PixelStore::Place& place_of(const PoolSeat& seat) {
    return places[static_cast<std::size_t>(&seat - seats.data())];
  }

  [[nodiscard]] bool is_writable() const override { return true; }

  void take_back(PoolSeat& seat) override {
    store->give_back(place_of(seat));
    MutexLock lock(mutex);
    free.push_back(&seat);
    returned.notify_one();
  }

  std::vector<PoolSeat> seats;  // with memory only while they are lent
  const std::shared_ptr<PixelStore> store;
  PixelStore::Chunk& chunk;               // the places added by this pool
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
  auto& place = storage->place_of(*seat);
  place = storage->store->take();
  seat->pixels = place.pixels;
  seat->memory = PixelStore::shared_memory(place);
  seat->margin_bytes = storage->store->margin_bytes();
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
bool Frame::is_borrowed() const {
  return !seat_->owner->is_writable();
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
    : FramePool(size, capacity, capacity,
                std::make_shared<PixelStore>(size.pixels() * bytes_per_pixel(format), backing),
                format) {}

FramePool::FramePool(Size size, std::size_t capacity, std::size_t touched,
                     std::shared_ptr<PixelStore> store, PixelFormat format)
    : storage_(std::make_shared<detail::PoolStorage>(size, capacity, std::min(touched, capacity),
                                                     std::move(store), format)) {
  SUBMIX_ASSERT(is_allowed(size) && capacity > 0);
}

std::size_t FramePool::seat_bytes(Size size, Backing backing, PixelFormat format) {
  return PixelStore::place_bytes(size.pixels() * bytes_per_pixel(format), backing);
}

void FramePool::touch_spare(std::size_t frames) {
  storage_->store->touch_spare(frames);
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
  return PixelStore::is_shared(storage_->chunk);
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
