// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/stream/pause_budget.hpp"

#include <algorithm>
#include <cmath>

namespace submix::io {
namespace {

constexpr std::uint64_t kSecondsMost = 60;

std::uint64_t frames_of_a_second(FrameRate rate) {
  return static_cast<std::uint64_t>(std::ceil(rate.frames_per_second()));
}

}  // namespace

PauseBudget::PauseBudget(FrameRate rate, std::size_t backlog)
    : period_(rate.time_of({1})),
      to_return_least_(frames_of_a_second(rate) + backlog),
      to_return_most_(std::max(to_return_least_, kSecondsMost * frames_of_a_second(rate))),
      to_return_(to_return_least_),
      in_row_(to_return_most_) {}

bool PauseBudget::take(std::chrono::nanoseconds waited) {
  silence_ = {};
  ++in_row_;
  if (is_attached_) {
    debt_ = std::max(std::chrono::nanoseconds(0), debt_ + waited - period_);
    return false;
  }
  if (in_row_ < to_return_) return false;
  is_attached_ = true;
  debt_ = {};
  in_row_ = 0;
  return true;
}

// An input that alternates between quick and slow would cost the show its budget each time, and two
// events.
bool PauseBudget::replace(std::chrono::nanoseconds waited) {
  silence_ += std::max(waited, period_);
  const bool was_attached = is_attached_;
  if (was_attached) {
    to_return_ =
        in_row_ < to_return_most_ ? std::min(2 * to_return_, to_return_most_) : to_return_least_;
    is_attached_ = false;
    replaced_ = 0;
  }
  ++replaced_;
  in_row_ = 0;
  return was_attached;
}

void PauseBudget::forgive() {
  is_attached_ = true;
  debt_ = {};
  silence_ = {};
  in_row_ = to_return_most_;
  to_return_ = to_return_least_;
}

}  // namespace submix::io
