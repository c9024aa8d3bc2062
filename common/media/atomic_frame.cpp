// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/atomic_frame.hpp"

#include "common/media/pool_seat.hpp"

#include <utility>

namespace submix::media {

namespace {

detail::PoolSeat lent;  // a mark without a frame: the looking thread has the reference

}  // namespace

void AtomicFrame::store(Frame frame) {
  auto* const before =
      seat_.exchange(std::exchange(frame.seat_, nullptr), std::memory_order_acq_rel);
  if (before != &lent) const Frame let_go{before};  // otherwise the looking thread releases it
}

Frame AtomicFrame::look() {
  auto* const seat = seat_.exchange(&lent, std::memory_order_acq_rel);
  Frame mine(seat);
  Frame theirs(mine);
  auto* expected = &lent;
  if (seat_.compare_exchange_strong(expected, seat, std::memory_order_acq_rel))
    theirs.seat_ = nullptr;
  return mine;
}

}  // namespace submix::media
