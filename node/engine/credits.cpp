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

// What one source has begun, the others may begin, too: such a frame is on its way already.
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

bool Credits::wait_to_start(std::uint64_t position, const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  if (!freed_.wait(mutex_, stop, [&]() SUBMIX_REQUIRES(mutex_) { return may_start(position); })) return false;
  started_ = std::max(started_, position + 1);
  return true;
}

void Credits::complete(std::size_t terminal) {
  const MutexLock lock(mutex_);
  ++terminals_[terminal].passed;
  update();
}

std::size_t Credits::add_terminal(std::uint64_t first) {
  const MutexLock lock(mutex_);
  terminals_.push_back({first, kNever});
  return terminals_.size() - 1;
}

void Credits::end_terminal(std::size_t terminal, std::uint64_t end) {
  const MutexLock lock(mutex_);
  terminals_[terminal].end = std::min(terminals_[terminal].end, end);
  update();
}

void Credits::update() {
  auto least = kNever;
  for (const auto& [passed, end] : terminals_) {
    if (passed < end) least = std::min(least, passed);
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

void Credits::release(std::uint64_t frames_in_flight_max) {
  const MutexLock lock(mutex_);
  is_held_ = false;
  frames_in_flight_max_ = frames_in_flight_max;
  freed_.notify_all();
}

std::uint64_t Credits::completed() const {
  const MutexLock lock(mutex_);
  return completed_;
}

}  // namespace submix::engine
