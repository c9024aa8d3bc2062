// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/frame_pool.hpp"

#include "common/base/assert.hpp"
#include "common/base/mutex.hpp"
#include "common/media/mapped_memory.hpp"
#include "common/media/pool_seat.hpp"
#include "common/media/shared_memory.hpp"

#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace submix::media {
namespace detail {

struct PoolStorage final : SeatOwner {
  PoolStorage(Size frame_size, std::size_t capacity, Backing backing, PixelFormat pixel_format)
      : SeatOwner(frame_size, pixel_format), seats(capacity) {
    const std::size_t unit = backing == Backing::shared ? kPageBytes : 64;
    seat_bytes = (size.pixels() * bytes_per_pixel(format) + unit - 1) / unit * unit;
    memory_bytes = seat_bytes * capacity;
    if (backing == Backing::shared) shared = SharedMemory::create(memory_bytes).value_or(nullptr);
    memory = shared ? shared->data() : map_own();
    free.reserve(capacity);
    for (auto& seat : seats) {
      seat.pixels = memory + seat_bytes * free.size();
      seat.memory = shared.get();
      seat.owner = this;
      free.push_back(&seat);
    }
  }

  [[nodiscard]] std::uint8_t* map_own() {
    auto mapped = MappedMemory::own(memory_bytes);
    if (!mapped) throw std::bad_alloc();
    return own.emplace(std::move(*mapped)).data();
  }

  void take_back(PoolSeat& seat) override {
    MutexLock lock(mutex);
    free.push_back(&seat);
    returned.notify_one();
  }

  std::size_t seat_bytes = 0;
  std::size_t memory_bytes = 0;
  std::shared_ptr<SharedMemory> shared;
  std::optional<MappedMemory> own;  // where it is not shared
  std::uint8_t* memory = nullptr;
  std::vector<PoolSeat> seats;

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
  return SharedPlace{*seat.memory, static_cast<std::size_t>(seat.pixels - seat.memory->data())};
}

void release(PoolSeat* seat) {
  // acq_rel: the last reader's reads come before the next writer's writes.
  if (seat == nullptr || seat->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const auto owner = std::exchange(seat->keeps_alive, nullptr);  // dies last
  owner->take_back(*seat);
}

PoolSeat* lend(const std::shared_ptr<PoolStorage>& storage) SUBMIX_REQUIRES(storage->mutex) {
  if (storage->free.empty()) return nullptr;
  auto* seat = storage->free.back();
  storage->free.pop_back();
  seat->keeps_alive = storage;
  seat->stamp = {};
  seat->references.store(1, std::memory_order_relaxed);  // the lock publishes it
  return seat;
}

}  // namespace
}  // namespace detail

Frame::Frame(const Frame& other) : seat_(other.seat_) {
  if (seat_ != nullptr) seat_->references.fetch_add(1, std::memory_order_relaxed);  // `other` holds one
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

WritableFrame::WritableFrame(WritableFrame&& other) noexcept : seat_(std::exchange(other.seat_, nullptr)) {}
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
  return Frame(std::exchange(seat_, nullptr));
}

FramePool::FramePool(Size size, std::size_t capacity, Backing backing, PixelFormat format)
    : storage_(std::make_shared<detail::PoolStorage>(size, capacity, backing, format)) {
  SUBMIX_ASSERT(is_allowed(size) && capacity > 0);
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
      if (storage_->returned.wait_until(storage_->mutex, deadline) == std::cv_status::timeout) break;
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

}  // namespace submix::media
