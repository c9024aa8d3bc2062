// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/responsiveness.hpp"

#include <algorithm>
#include <iterator>

namespace submix::ui {
namespace {

constexpr std::int64_t kWindowStep = std::chrono::seconds(1) / Responsiveness::kInterval;

constexpr std::size_t place_of(std::int64_t interval) {
  return static_cast<std::size_t>(interval) % Responsiveness::kIntervals;
}

}  // namespace

void Responsiveness::go_on_until(std::int64_t interval) {
  // After a long sleep all intervals of the ring are old, so the steps in between are skipped.
  const auto first = std::max(newest_ + 1, interval - 2 * static_cast<std::int64_t>(kIntervals));
  for (newest_ = first; newest_ <= interval; ++newest_) {
    auto& place = is_unresponsive_.at(place_of(newest_));
    if (place) --in_window_;
    place = false;
    if (newest_ % kWindowStep == 0 && newest_ > 0) count_window();
  }
  newest_ = interval;
}

void Responsiveness::count_window() {
  ++windows_.at(in_window_);
  ++window_count_;
}

void Responsiveness::add_turn(LocalTime begin, LocalTime end) {
  if (newest_ < 0) first_ = begin;
  begin = std::max(begin, last_);
  last_ = std::max(end, begin);
  longest_ = std::max<std::chrono::nanoseconds>(longest_, last_ - begin);
  const auto count = (last_ - begin) / kInterval;
  const auto from = (begin - first_) / kInterval;
  go_on_until(std::max(newest_, from));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto interval = from + i;
    go_on_until(std::max(newest_, interval));
    auto& place = is_unresponsive_.at(place_of(interval));
    if (!place) ++in_window_;
    if (!place) ++all_;
    place = true;
  }
}

Responsiveness::Figures Responsiveness::figures() const {
  Figures figures{.unresponsive = in_window_,
                  .unresponsive_all = all_,
                  .longest = longest_,
                  .watched = newest_ < 0 ? std::chrono::nanoseconds(0) : last_ - first_};
  // No window is complete in the first second.
  if (window_count_ == 0) figures.unresponsive_p99 = in_window_;
  std::uint64_t below = 0;
  for (std::size_t count = 0; count < windows_.size() && window_count_ > 0; ++count) {
    below += windows_.at(count);
    if (below * 100 < window_count_ * 99) continue;
    figures.unresponsive_p99 = static_cast<std::uint32_t>(count);
    break;
  }
  return figures;
}

FrameTimes::Figures FrameTimes::figures() const {
  auto times = times_;
  const auto size = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count_, kKept));
  if (size == 0) return {};
  const auto end = times.begin() + size;
  const auto p99 = times.begin() + (size - 1) * 99 / 100;
  const auto p50 = times.begin() + (size - 1) / 2;
  std::nth_element(times.begin(), p99, end);
  const auto max = *std::max_element(p99, end);
  std::nth_element(times.begin(), p50, std::next(p99));
  return {count_, *p50, *p99, max};
}

}  // namespace submix::ui
