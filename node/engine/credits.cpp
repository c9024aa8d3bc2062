// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/credits.hpp"

#include "common/base/assert.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace submix::engine {
namespace {

constexpr auto kNever = std::numeric_limits<std::uint64_t>::max();

}  // namespace

Credits::Credits(std::uint64_t frames_in_flight_max, bool follows_demand)
    : follows_demand_(follows_demand),
      frames_in_flight_max_(frames_in_flight_max),
      ahead_(0, frames_in_flight_max - 1) {
  SUBMIX_ASSERT(frames_in_flight_max > 0);
}

// The other sources may start a frame that any source has started: the frame is already in flight.
bool Credits::may_start(std::uint64_t position) const {
  if (position < started_) return true;
  if (is_held_ || position >= completed_ + frames_in_flight_max_) return false;
  if (!follows_demand_) return true;
  return std::ranges::all_of(terminals_, [&](const Terminal& terminal) SUBMIX_REQUIRES(mutex_) {
    return is_wanted(terminal, position);
  });
}

bool Credits::is_wanted(const Terminal& terminal, std::uint64_t position) const {
  if (terminal.is_free || position >= terminal.end || position <= terminal.first) return true;
  const auto demand = terminal.demand ? terminal.demand() : std::nullopt;
  const auto frames = demand ? demand->frames : 1;
  return position < terminal.passed + frames + ahead_.frames();
}

bool Credits::try_start(std::uint64_t position) {
  const MutexLock lock(mutex_);
  if (!may_start(position)) return false;
  started_ = std::max(started_, position + 1);
  return true;
}

Credits::Start Credits::wait_to_start(std::uint64_t position, std::uint64_t edits,
                                      const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  const auto is_news = [&]() SUBMIX_REQUIRES(mutex_) {
    return may_start(position) || edits_ != edits;
  };
  if (!freed_.wait(mutex_, stop, is_news)) return Start::stop;
  if (edits_ != edits) return Start::look_again;
  started_ = std::max(started_, position + 1);
  return Start::now;
}

std::uint64_t Credits::edits() const {
  const MutexLock lock(mutex_);
  return edits_;
}

void Credits::complete(std::size_t terminal) {
  const MutexLock lock(mutex_);
  ++terminals_[terminal].passed;
  update();
  if (follows_demand_) freed_.notify_all();
}

std::size_t Credits::add_terminal(std::uint64_t first, GetDemand demand) {
  const MutexLock lock(mutex_);
  const auto free = std::find_if(terminals_.begin(), terminals_.end(),
                                 [](const auto& each) { return each.is_free; });
  const auto number = static_cast<std::size_t>(free - terminals_.begin());
  if (free == terminals_.end()) terminals_.emplace_back();
  terminals_[number] = {
      .passed = first, .end = kNever, .first = first, .demand = std::move(demand)};
  return number;
}

void Credits::forget_terminal(std::size_t terminal) {
  const MutexLock lock(mutex_);
  terminals_[terminal] = {.passed = 0, .end = 0, .is_free = true};
  update();
  freed_.notify_all();
}

void Credits::demand_grew() {
  const MutexLock lock(mutex_);
  freed_.notify_all();
}

void Credits::note_spare(std::chrono::nanoseconds spare, LocalTime now) {
  const MutexLock lock(mutex_);
  if (ahead_.note(spare, now)) freed_.notify_all();
}

void Credits::start_ahead() {
  const MutexLock lock(mutex_);
  ahead_.begin_anew();
  freed_.notify_all();
}

std::uint64_t Credits::frames_ahead() const {
  const MutexLock lock(mutex_);
  return ahead_.frames();
}

// A new terminal slot counts as having passed all frames before its first.
bool Credits::wait_for_others(std::uint64_t position, const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  return freed_.wait(mutex_, stop,
                     [&]() SUBMIX_REQUIRES(mutex_) { return completed_ >= position; });
}

void Credits::end_terminal(std::size_t terminal, std::uint64_t end) {
  const MutexLock lock(mutex_);
  terminals_[terminal].end = std::min(terminals_[terminal].end, end);
  update();
}

void Credits::update() {
  auto least = kNever;
  for (const auto& each : terminals_) {
    if (each.passed < each.end) least = std::min(least, each.passed);
  }
  if (least == kNever || least <= completed_) return;
  completed_ = least;
  freed_.notify_all();
}

std::uint64_t Credits::hold() {
  const MutexLock lock(mutex_);
  is_held_ = true;
  return started_;
}

void Credits::release() {
  const MutexLock lock(mutex_);
  is_held_ = false;
  freed_.notify_all();
}

void Credits::release(std::uint64_t frames_in_flight_max) {
  const MutexLock lock(mutex_);
  is_held_ = false;
  ++edits_;
  frames_in_flight_max_ = frames_in_flight_max;
  ahead_.set_limits(0, frames_in_flight_max - 1);
  update();  // the last terminal slot may have ended before the first new terminal slot was added
  freed_.notify_all();
}

std::uint64_t Credits::completed() const {
  const MutexLock lock(mutex_);
  return completed_;
}

}  // namespace submix::engine
