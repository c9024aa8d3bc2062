// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/show_count.hpp"

#include <algorithm>
#include <utility>

namespace submix::engine {
namespace {

// A wake-up is late by some frames now and then.
constexpr std::chrono::milliseconds kPatience{250};
constexpr std::chrono::milliseconds kCertainlyWrong{500};

}  // namespace

ShowCount::ShowCount(FrameRate rate, ShowTime show_time)
    : rate_(rate), show_time_(std::move(show_time)) {}

FrameIndex ShowCount::number_of(std::uint64_t position, LocalTime now) {
  const MutexLock lock(mutex_);
  if (position < settled_) return {known_number(position)};

  if (settled_ == 0 && show_time_) {
    if (const auto time = show_time_(now)) wanted_offset_ = rate_.index_at(*time).value - position;
  }
  if (const auto offset = std::exchange(wanted_offset_, std::nullopt))
    begin_run(position, position + *offset);
  settled_ = position + 1;
  return {known_number(position)};
}

// Frames that were settled before the newest run began are not judged: they are known to be wrong.
void ShowCount::shown(std::uint64_t position, LocalTime now) {
  if (!show_time_) return;
  const auto time = show_time_(now);
  const MutexLock lock(mutex_);
  if (!time || position < shown_ || wanted_offset_ || position < runs_.front().position) return;
  shown_ = position + 1;

  const auto period = rate_.time_of({1});
  const auto error = *time - rate_.time_of({known_number(position)});
  if (error >= -period && error < 2 * period) {
    wrong_since_.reset();
    return;
  }
  if (!wrong_since_) wrong_since_ = now;
  const bool is_certain = error <= -kCertainlyWrong || error >= kCertainlyWrong;
  if (!is_certain && now - *wrong_since_ < kPatience) return;
  wanted_offset_ = rate_.index_at(*time).value - position;
  wrong_since_.reset();
}

FrameIndex ShowCount::present(LocalTime now) const {
  const auto time = show_time_ ? show_time_(now) : std::nullopt;
  const MutexLock lock(mutex_);
  return time ? rate_.index_at(*time) : FrameIndex{known_number(settled_)};
}

ShowCount::Run ShowCount::newest() const {
  const MutexLock lock(mutex_);
  return runs_.front();
}

void ShowCount::begin_run(std::uint64_t position, std::uint64_t number) {
  std::shift_right(runs_.begin(), runs_.end(), 1);
  runs_.front() = {position, number};
}

std::uint64_t ShowCount::known_number(std::uint64_t position) const {
  const auto found =
      std::ranges::find_if(runs_, [&](const Run& run) { return run.position <= position; });
  const auto& run = found == runs_.end() ? runs_.back() : *found;
  return run.number + (position - run.position);
}

}  // namespace submix::engine
