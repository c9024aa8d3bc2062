// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/governor.hpp"

#include <algorithm>

namespace submix::engine {

// Waking a thread beside four programs that copy memory takes 13 ms and more at p99 without
// real-time priority, and 0.04 ms with it (submix-chain --punctuality). With real-time priority no
// frame is missed because of the wake-up alone.
std::chrono::nanoseconds miss_tolerance(FrameRate rate) {
  constexpr std::chrono::nanoseconds kWakeUp = std::chrono::milliseconds(4);
  return std::min<std::chrono::nanoseconds>(kWakeUp, rate.time_of({1}) / 4);
}

std::optional<std::chrono::nanoseconds> Timetable::delay(std::uint64_t position,
                                                         LocalTime now) const {
  if (!start_) return std::nullopt;
  return now - (start_->time + rate_.time_of({position - start_->position}));
}

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
    : transport_(transport),
      clock_(clock),
      seen_(transport.state()),
      tolerance_(rate ? miss_tolerance(*rate) : std::chrono::nanoseconds(0)) {
  if (rate) timetable_.emplace(*rate);
}

Governor::Passage Governor::pass(std::uint64_t position, const std::stop_token& stop,
                                 plugin::Pace pace) {
  Passage passage;
  while (!stop.stop_requested()) {
    const auto state = transport_.state();
    const auto answer = ask(position, state, clock_.now(), pace);
    if (!passage.spare) passage.spare = answer.spare;  // the first answer counts
    passage.may_pass = answer.may_pass;
    if (answer.may_pass) return passage;
    transport_.wait(state, answer.ask_again, stop);
  }
  return passage;
}

void Governor::restart() {
  const MutexLock lock(mutex_);
  if (timetable_) timetable_->restart();
}

Governor::Answer Governor::ask(std::uint64_t position, const Transport::State& state, LocalTime now,
                               plugin::Pace pace) {
  const MutexLock lock(mutex_);
  if (position < admitted_) return {.may_pass = true};
  // Frames at their receivers' pace have passed without asking.
  if (position > admitted_ && timetable_) timetable_->restart();

  Answer answer{.may_pass = true};
  if (state.is_paused) {
    answer.may_pass = take_step(state);
  } else if (timetable_ && pace == plugin::Pace::show) {
    answer = meet_deadline(position, state, now);
  }
  if (answer.may_pass) admitted_ = position + 1;
  return answer;
}

Governor::Answer Governor::meet_deadline(std::uint64_t position, const Transport::State& state,
                                         LocalTime now) {
  if (seen_.is_paused || seen_.pauses != state.pauses) timetable_->restart();
  seen_ = state;

  const auto delay = timetable_->delay(position, now);
  const auto moves = timetable_->moves();
  const auto due = timetable_->due(position, now);
  Answer answer;
  if (delay) answer.spare = -*delay;
  if (due > now) {
    answer.ask_again = due;
    return answer;
  }

  if (delay) count_delay(position, *delay);
  if (timetable_->moves() != moves) late_frame_ = position;
  answer.may_pass = true;
  return answer;
}

void Governor::count_delay(std::uint64_t position, std::chrono::nanoseconds delay) {
  jitter_.add(delay);
  if (delay <= tolerance_) return;
  ++missed_frames_;
  missed_frame_ = position;
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

std::uint64_t Governor::missed_frames() const {
  const MutexLock lock(mutex_);
  return missed_frames_;
}

std::uint64_t Governor::missed_frame() const {
  const MutexLock lock(mutex_);
  return missed_frame_;
}

std::uint64_t Governor::late_frame() const {
  const MutexLock lock(mutex_);
  return late_frame_;
}

}  // namespace submix::engine
