// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace submix::telemetry {

/// Time spent in each state of an enum `State {…, count}`, e.g. working, starved, blocked.
///
/// Threads  enter(): one writer. totals(): any thread, at any time; wrong by at most the current
///          state's time.
/// Cost     enter(): a few relaxed atomics; no lock, no allocation.
template <typename State>
class TimeShares {
 public:
  static constexpr std::size_t kStates = static_cast<std::size_t>(State::count);
  using Totals = std::array<std::chrono::nanoseconds, kStates>;

  TimeShares(State first, LocalTime now)
      : state_(static_cast<std::size_t>(first)), since_(ticks(now)) {}

  void enter(State next, LocalTime now) {
    // Relaxed throughout: each figure is independent, and a reader needs no other memory with it.
    const auto left = state_.load(std::memory_order_relaxed);
    const auto entered = since_.load(std::memory_order_relaxed);
    totals_[left].fetch_add(ticks(now) - entered, std::memory_order_relaxed);
    since_.store(ticks(now), std::memory_order_relaxed);
    state_.store(static_cast<std::size_t>(next), std::memory_order_relaxed);
  }
  /// Times of all states, with the current state up to `now`.
  [[nodiscard]] Totals totals(LocalTime now) const {
    Totals totals;
    for (std::size_t i = 0; i < kStates; ++i) {
      totals[i] = std::chrono::nanoseconds(totals_[i].load(std::memory_order_relaxed));
    }
    const auto running = ticks(now) - since_.load(std::memory_order_relaxed);
    totals[state_.load(std::memory_order_relaxed)] += std::chrono::nanoseconds(running);
    return totals;
  }
  /// Time of one state up to `now`. Exact on the writer's thread.
  [[nodiscard]] std::chrono::nanoseconds total(State state, LocalTime now) const {
    return totals(now)[static_cast<std::size_t>(state)];
  }
  [[nodiscard]] State state() const {
    return static_cast<State>(state_.load(std::memory_order_relaxed));
  }

 private:
  static std::int64_t ticks(LocalTime time) {
    return std::chrono::nanoseconds(time.time_since_epoch()).count();
  }

  std::atomic<std::size_t> state_;
  std::atomic<std::int64_t> since_;
  std::array<std::atomic<std::int64_t>, kStates> totals_{};
};

}  // namespace submix::telemetry
