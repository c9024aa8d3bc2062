// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/reorder_buffer.hpp"

#include <algorithm>
#include <utility>

namespace submix::engine {

void ReorderBuffer::begin_at(std::uint64_t position, std::size_t workers) {
  const MutexLock lock(mutex_);
  leaving_ = position;
  waiting_since_.resize(workers);
  kept_.reserve(kept_max(workers));
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
  return waiting_since_[worker] && taken_ - *waiting_since_[worker] >= passed_over_max;
}

bool ReorderBuffer::may_deliver(std::uint64_t position) const {
  const MutexLock lock(mutex_);
  return leaving_ == position;
}

bool ReorderBuffer::wait_for_earlier(std::uint64_t position) {
  const MutexLock lock(mutex_);
  while (leaving_ != position && !is_closed_)
    changed_.wait(mutex_);
  return !is_closed_;
}

ReorderBuffer::Delivery ReorderBuffer::try_deliver(Finished& finished) {
  const MutexLock lock(mutex_);
  return place(finished);
}

ReorderBuffer::Delivery ReorderBuffer::wait_to_deliver(Finished& finished) {
  const MutexLock lock(mutex_);
  for (;;) {
    if (const auto leave = place(finished); leave != Delivery::not_yet) return leave;
    changed_.wait(mutex_);
  }
}

// The worker with the next frame to deliver finds the frames held back behind it under this same
// lock: none stays behind.
ReorderBuffer::Delivery ReorderBuffer::place(Finished& finished) {
  if (is_closed_) return Delivery::closed;
  if (finished.position == leaving_) {
    is_leaving_ = true;
    return Delivery::now;
  }
  if (is_leaving_ || kept_.size() == kept_max(waiting_since_.size())) return Delivery::not_yet;
  kept_.push_back(std::move(finished));
  return Delivery::kept;
}

std::optional<Finished> ReorderBuffer::delivered() {
  const MutexLock lock(mutex_);
  ++leaving_;
  changed_.notify_all();
  const auto next = std::ranges::find(kept_, leaving_, &Finished::position);
  is_leaving_ = next != kept_.end();
  if (!is_leaving_) return std::nullopt;
  auto finished = std::move(*next);
  kept_.erase(next);
  return finished;
}

void ReorderBuffer::close() {
  std::vector<Finished> kept;  // freed after the lock
  const MutexLock lock(mutex_);
  kept.swap(kept_);
  is_closed_ = true;
  changed_.notify_all();
}

}  // namespace submix::engine
