// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/show/document.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace submix::io {

/// While an end of a stream waits, it checks this often whether its policy has changed, or others
/// wait for it.
inline constexpr std::chrono::milliseconds kPolicyPollPeriod{20};

/// A picture of the show's size, RGBA. Immutable once set; null: the built-in picture.
using StandbyPicture = std::shared_ptr<const std::vector<std::uint8_t>>;

/// The show's policy for a late stream. May change while frames flow.
///
/// Threads  Synchronized.
class StreamPolicy {
 public:
  explicit StreamPolicy(show::InputPolicy kind = show::InputPolicy::wait,
                        std::chrono::milliseconds pause_budget = show::Stream().pause_budget)
      : kind_(kind), pause_budget_(pause_budget) {}

  void set(show::InputPolicy kind, std::chrono::milliseconds pause_budget) {
    kind_.store(kind, std::memory_order_relaxed);
    pause_budget_.store(pause_budget, std::memory_order_relaxed);
  }
  [[nodiscard]] show::InputPolicy kind() const { return kind_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::chrono::milliseconds pause_budget() const {
    return pause_budget_.load(std::memory_order_relaxed);
  }
  void set_standby(StandbyPicture picture) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    standby_.swap(picture);  // the former picture is freed after the lock
  }
  [[nodiscard]] StandbyPicture standby() const SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return standby_;
  }

 private:
  std::atomic<show::InputPolicy> kind_;  // relaxed: each stands alone
  std::atomic<std::chrono::milliseconds> pause_budget_;
  mutable Mutex mutex_;
  StandbyPicture standby_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::io
