// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/borrowed_frames.hpp"

#include "common/base/assert.hpp"
#include "common/base/mutex.hpp"
#include "common/media/pool_seat.hpp"

#include <utility>
#include <vector>

namespace submix::media {
namespace detail {

class Borrowings final : public SeatOwner {
 public:
  Borrowings(Size frame_size, std::size_t capacity) : SeatOwner(frame_size), seats_(capacity) {
    free_.reserve(capacity);
    for (auto& place : seats_) {
      place.owner = this;
      free_.push_back(&place);
    }
  }

  [[nodiscard]] PoolSeat* lend(BorrowedPlace loan, std::shared_ptr<SeatOwner> self) {
    MutexLock lock(mutex_);
    if (free_.empty()) return nullptr;
    auto& place = *free_.back();
    free_.pop_back();
    place.loan = std::move(loan);
    place.pixels = place.loan.memory->data() + place.loan.offset_bytes;
    place.memory = place.loan.memory.get();
    place.stamp = place.loan.stamp;
    place.keeps_alive = std::move(self);
    place.references.store(1, std::memory_order_relaxed);  // the lock publishes it
    return &place;
  }

  [[nodiscard]] bool is_writable() const override { return false; }

  void take_back(PoolSeat& seat) override {
    auto& place = static_cast<BorrowedSeat&>(seat);
    const auto loan = std::exchange(place.loan, {});  // may unmap the memory, after the lock below
    {
      MutexLock lock(mutex_);
      free_.push_back(&place);
    }
    loan.lender->take_back(loan.number);
  }

  [[nodiscard]] std::size_t frames_out() const {
    MutexLock lock(mutex_);
    return seats_.size() - free_.size();
  }

 private:
  struct BorrowedSeat : PoolSeat {
    BorrowedPlace loan;
  };

  std::vector<BorrowedSeat> seats_;
  mutable Mutex mutex_;
  std::vector<BorrowedSeat*> free_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace detail

BorrowedFrames::BorrowedFrames(Size size, std::size_t capacity)
    : borrowings_(std::make_shared<detail::Borrowings>(size, capacity)) {}

std::optional<Frame> BorrowedFrames::borrow(BorrowedPlace loan) {
  SUBMIX_ASSERT(loan.offset_bytes % 64 == 0);
  SUBMIX_ASSERT(loan.offset_bytes + borrowings_->size.pixels() * kBytesPerRgbaPixel <=
                loan.memory->size_bytes());
  auto* const seat = borrowings_->lend(std::move(loan), borrowings_);
  if (seat == nullptr) return std::nullopt;
  return Frame(seat);
}

std::size_t BorrowedFrames::frames_out() const {
  return borrowings_->frames_out();
}

}  // namespace submix::media
