// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/loop.hpp"
#include "tests/support/manual_clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace submix::testing {

/// A loop whose time passes as fast as it can be computed: it jumps from one due event to the next.
/// One thread.
class SimulatedLoop final : public link::Loop {
 public:
  [[nodiscard]] const Clock& clock() const override { return clock_; }
  [[nodiscard]] LocalTime now() const { return clock_.now(); }
  [[nodiscard]] std::unique_ptr<link::Timer> make_timer(std::function<void()> on_time) override {
    return std::make_unique<SimulatedTimer>(*this, std::move(on_time));
  }
  [[nodiscard]] std::unique_ptr<link::Wakeup> make_wakeup(std::function<void()> look) override {
    return std::make_unique<SimulatedWakeup>(*this, std::move(look));
  }

  void call_at(LocalTime time, std::function<void()> what) {
    due_.emplace(std::max(time, now()), std::move(what));
  }
  /// Events due at the same time run in the order of their requests.
  void run_for(std::chrono::nanoseconds time) {
    const auto end = now() + time;
    while (!due_.empty() && due_.begin()->first <= end) {
      auto next = due_.extract(due_.begin());
      clock_.advance(next.key() - now());
      next.mapped()();
    }
    clock_.advance(end - now());
  }

 private:
  class SimulatedTimer final : public link::Timer {
   public:
    SimulatedTimer(SimulatedLoop& loop, std::function<void()> on_time)
        : loop_(loop), on_time_(std::move(on_time)) {}
    void set(std::chrono::nanoseconds pause, std::shared_ptr<void> keeper) override {
      loop_.call_at(loop_.now() + pause, [this, round = ++round_, keeper = std::move(keeper)] {
        if (round == round_) on_time_();
      });
    }
    void cancel() override { ++round_; }

   private:
    SimulatedLoop& loop_;
    const std::function<void()> on_time_;
    std::uint64_t round_ = 0;
  };

  class SimulatedWakeup final : public link::Wakeup {
   public:
    SimulatedWakeup(SimulatedLoop& loop, std::function<void()> look)
        : loop_(loop), look_(std::move(look)) {}
    void notify() override {
      if (!keeper_ || std::exchange(is_pending_, true)) return;
      loop_.call_at(loop_.now(), [this, keeper = keeper_] {
        is_pending_ = false;
        if (keeper_) look_();
      });
    }
    void start(std::shared_ptr<void> keeper) override { keeper_ = std::move(keeper); }
    void stop() override { keeper_.reset(); }

   private:
    SimulatedLoop& loop_;
    const std::function<void()> look_;
    std::shared_ptr<void> keeper_;  // null: not started, or stopped
    bool is_pending_ = false;
  };

  ManualClock clock_;
  std::multimap<LocalTime, std::function<void()>> due_;
};

}  // namespace submix::testing
