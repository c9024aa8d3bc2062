// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/reorder_buffer.hpp"

#include <algorithm>
#include <utility>

namespace submix::engine {

void ReorderBuffer::begin_at(std::uint64_t position, std::size_t workers) {
  const MutexLock lock(mutex_);
  next_delivery_ = position;
  waiting_since_.resize(workers);
  held_back_.reserve(held_back_max(workers));
}

bool ReorderBuffer::try_take(std::size_t worker) {
  const MutexLock lock(mutex_);
  if (!is_free_for(worker) || is_over_ || is_closed_) return false;
  return is_taking_ = true;
}

bool ReorderBuffer::take(std::size_t worker) {
  const MutexLock lock(mutex_);
  waiting_since_[worker] = taken_;
  while (!is_free_for(worker) && !is_over_ && !is_closed_)
    changed_.wait(mutex_);
  waiting_since_[worker].reset();
  if (is_over_ || is_closed_) return false;
  return is_taking_ = true;
}

void ReorderBuffer::end_taking(bool is_last) {
  const MutexLock lock(mutex_);
  is_taking_ = false;
  ++taken_;
  is_over_ = is_over_ || is_last;
  changed_.notify_all();
}

bool ReorderBuffer::is_free_for(std::size_t worker) const {
  if (is_taking_) return false;
  const auto workers = waiting_since_.size();
  if (taken_ < workers) return worker == taken_;
  if (is_overdue(worker)) return true;
  for (std::size_t other = 0; other < workers; ++other) {
    if (is_overdue(other)) return false;
  }
  return true;
}

bool ReorderBuffer::is_overdue(std::size_t worker) const {
  return waiting_since_[worker] && taken_ - *waiting_since_[worker] >= kPassedOverMax;
}

bool ReorderBuffer::may_deliver(std::uint64_t position) const {
  const MutexLock lock(mutex_);
  return next_delivery_ == position;
}

bool ReorderBuffer::wait_for_earlier(std::uint64_t position) {
  const MutexLock lock(mutex_);
  while (next_delivery_ != position && !is_closed_)
    changed_.wait(mutex_);
  return !is_closed_;
}

ReorderBuffer::Delivery ReorderBuffer::try_deliver(FinishedFrame& finished) {
  const MutexLock lock(mutex_);
  return decide(finished);
}

ReorderBuffer::Delivery ReorderBuffer::wait_to_deliver(FinishedFrame& finished) {
  const MutexLock lock(mutex_);
  for (;;) {
    if (const auto delivery = decide(finished); delivery != Delivery::not_yet) return delivery;
    changed_.wait(mutex_);
  }
}

// The worker with the next frame to deliver finds the frames held back behind it under this same
// lock: none stays behind.
ReorderBuffer::Delivery ReorderBuffer::decide(FinishedFrame& finished) {
  if (is_closed_) return Delivery::closed;
  if (finished.position == next_delivery_) {
    is_delivering_ = true;
    return Delivery::now;
  }
  if (is_delivering_ || held_back_.size() == held_back_max(waiting_since_.size()))
    return Delivery::not_yet;
  held_back_.push_back(std::move(finished));
  return Delivery::held_back;
}

std::optional<FinishedFrame> ReorderBuffer::delivered() {
  const MutexLock lock(mutex_);
  ++next_delivery_;
  changed_.notify_all();
  const auto next = std::ranges::find(held_back_, next_delivery_, &FinishedFrame::position);
  is_delivering_ = next != held_back_.end();
  if (!is_delivering_) return std::nullopt;
  auto finished = std::move(*next);
  held_back_.erase(next);
  return finished;
}

void ReorderBuffer::close() {
  std::vector<FinishedFrame> kept;  // freed after the lock
  const MutexLock lock(mutex_);
  kept.swap(held_back_);
  is_closed_ = true;
  changed_.notify_all();
}

}  // namespace submix::engine
