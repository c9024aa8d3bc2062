// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/transport.hpp"

#include <mutex>

namespace submix::engine {

void Transport::pause() {
  const MutexLock lock(mutex_);
  enter(true);
}

void Transport::resume() {
  const MutexLock lock(mutex_);
  enter(false);
}

void Transport::step() {
  const MutexLock lock(mutex_);
  if (!state_.is_paused) return;
  ++state_.steps;
  changed_.notify_all();
}

void Transport::follow(bool is_paused, std::uint64_t steps_total) {
  const MutexLock lock(mutex_);
  if (is_paused && state_.is_paused && steps_total > steps_followed_) {
    state_.steps += steps_total - steps_followed_;
    changed_.notify_all();
  }
  steps_followed_ = steps_total;
  enter(is_paused);
}

void Transport::enter(bool is_paused) {
  if (state_.is_paused == is_paused) return;
  state_.is_paused = is_paused;
  if (is_paused) ++state_.pauses;
  state_.steps = 0;
  changed_.notify_all();
}

Transport::State Transport::state() const {
  const MutexLock lock(mutex_);
  return state_;
}

void Transport::wait(const State& seen, std::optional<LocalTime> deadline,
                     const std::stop_token& stop) const {
  const MutexLock lock(mutex_);
  const auto is_changed = [&]() SUBMIX_REQUIRES(mutex_) { return state_ != seen; };
  if (deadline) {
    changed_.wait_until(mutex_, stop, *deadline, is_changed);
  } else {
    changed_.wait(mutex_, stop, is_changed);
  }
}

}  // namespace submix::engine
