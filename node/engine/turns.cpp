// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/turns.hpp"

namespace submix::engine {

void Turns::begin_at(std::uint64_t position, std::size_t hands) {
  const MutexLock lock(mutex_);
  leaving_ = position;
  hands_ = hands;
}

bool Turns::try_take(std::size_t hand) {
  const MutexLock lock(mutex_);
  if (!is_free_for(hand) || is_over_ || is_closed_) return false;
  return is_taking_ = true;
}

bool Turns::take(std::size_t hand) {
  const MutexLock lock(mutex_);
  while (!is_free_for(hand) && !is_over_ && !is_closed_)
    changed_.wait(mutex_);
  if (is_over_ || is_closed_) return false;
  return is_taking_ = true;
}

void Turns::end_taking(bool is_last) {
  const MutexLock lock(mutex_);
  is_taking_ = false;
  if (next_first_ < hands_) ++next_first_;
  is_over_ = is_over_ || is_last;
  changed_.notify_all();
}

bool Turns::may_leave(std::uint64_t position) const {
  const MutexLock lock(mutex_);
  return leaving_ == position;
}

bool Turns::wait_to_leave(std::uint64_t position) {
  const MutexLock lock(mutex_);
  while (leaving_ != position && !is_closed_)
    changed_.wait(mutex_);
  return !is_closed_;
}

void Turns::leave() {
  const MutexLock lock(mutex_);
  ++leaving_;
  changed_.notify_all();
}

void Turns::close() {
  const MutexLock lock(mutex_);
  is_closed_ = true;
  changed_.notify_all();
}

}  // namespace submix::engine
