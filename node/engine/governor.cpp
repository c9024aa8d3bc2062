// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/governor.hpp"

namespace submix::engine {

LocalTime Timetable::due(std::uint64_t position, LocalTime now) {
  const auto period = rate_.time_of({1});
  if (!start_) start_ = Start{position, now};
  const auto time = start_->time + rate_.time_of({position - start_->position});
  if (now <= time + period) return time;
  start_ = Start{position, now};
  ++moves_;
  return now;
}

Governor::Governor(std::optional<FrameRate> rate, const Transport& transport, const Clock& clock)
    : transport_(transport), clock_(clock), seen_(transport.state()) {
  if (rate) timetable_.emplace(*rate);
}

bool Governor::pass(std::uint64_t position, const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const auto state = transport_.state();
    const auto answer = ask(position, state, clock_.now());
    if (answer.may_pass) return true;
    transport_.wait(state, answer.ask_again, stop);
  }
  return false;
}

void Governor::restart() {
  const MutexLock lock(mutex_);
  if (timetable_) timetable_->restart();
}

Governor::Answer Governor::ask(std::uint64_t position, const Transport::State& state, LocalTime now) {
  const MutexLock lock(mutex_);
  if (position < admitted_) return {true, {}};
  if (state.is_paused) {
    if (!take_step(state)) return {false, {}};
  } else if (timetable_) {
    if (seen_.is_paused || seen_.pauses != state.pauses) timetable_->restart();
    seen_ = state;
    const auto due = timetable_->due(position, now);
    if (due > now) return {false, due};
  }
  admitted_ = position + 1;
  return {true, {}};
}

bool Governor::take_step(const Transport::State& state) {
  if (seen_.pauses != state.pauses) seen_ = {true, state.pauses, 0};
  if (seen_.steps >= state.steps) return false;
  ++seen_.steps;
  return true;
}

std::uint64_t Governor::late_frames() const {
  const MutexLock lock(mutex_);
  return timetable_ ? timetable_->moves() : 0;
}

}  // namespace submix::engine
