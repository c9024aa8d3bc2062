// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/credits.hpp"

#include "common/base/assert.hpp"

#include <algorithm>
#include <limits>

namespace submix::engine {
namespace {

constexpr auto kNever = std::numeric_limits<std::uint64_t>::max();

}  // namespace

Credits::Credits(std::uint64_t frames_in_flight_max) : frames_in_flight_max_(frames_in_flight_max) {
  SUBMIX_ASSERT(frames_in_flight_max > 0);
}

// The other sources may start a frame that any source has started: the frame is already in flight.
bool Credits::may_start(std::uint64_t position) const {
  if (position < started_) return true;
  return !is_held_ && position < completed_ + frames_in_flight_max_;
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
}

std::size_t Credits::add_terminal(std::uint64_t first) {
  const MutexLock lock(mutex_);
  const auto free = std::find_if(terminals_.begin(), terminals_.end(),
                                 [](const auto& each) { return each.is_free; });
  const auto number = static_cast<std::size_t>(free - terminals_.begin());
  if (free == terminals_.end()) terminals_.emplace_back();
  terminals_[number] = {first, kNever, false};
  return number;
}

void Credits::forget_terminal(std::size_t terminal) {
  const MutexLock lock(mutex_);
  terminals_[terminal] = {0, 0, true};
  update();
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
  update();  // the last terminal slot may have ended before the first new terminal slot was added
  freed_.notify_all();
}

std::uint64_t Credits::completed() const {
  const MutexLock lock(mutex_);
  return completed_;
}

}  // namespace submix::engine
