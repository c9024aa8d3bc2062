// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <random>

namespace submix::agent {

/// Gives epochs to a node's streams and patches. Each epoch is greater than all earlier ones, on
/// any node: from the wall clock while the clock is ahead, otherwise above the greatest epoch heard
/// from other nodes. This PC's clock may be minutes behind another's, or in 1970.
///
/// Threads  Synchronized.
/// Source   Lamport's clock, combined with the time of day.
class EpochClock {
 public:
  /// Nanoseconds since 1970.
  using WallClock = std::function<std::chrono::nanoseconds()>;

  explicit EpochClock(WallClock wall_clock = {});  ///< empty: the machine's own clock

  /// An epoch for a new life: greater than all epochs given, met or heard here. Two nodes that have
  /// heard the same epochs give different ones.
  [[nodiscard]] std::uint64_t next() SUBMIX_EXCLUDES(mutex_);
  /// Whether an epoch is plausible; see wire::believed_epoch_max().
  [[nodiscard]] bool is_believable(std::uint64_t epoch) const;
  /// Takes the epoch of another node's report. Ignores an epoch that is not believable.
  void hear(std::uint64_t epoch) SUBMIX_EXCLUDES(mutex_);
  /// Takes the epoch of one of this node's receivers. Ignores an epoch that is not believable.
  void meet(std::uint64_t epoch) SUBMIX_EXCLUDES(mutex_);
  /// The greatest epoch given or met here, for this node's report. Epochs that were only heard are
  /// left out: each node would repeat every other node's.
  [[nodiscard]] std::uint64_t to_be_told() const SUBMIX_EXCLUDES(mutex_);

 private:
  const WallClock wall_clock_;
  mutable Mutex mutex_;
  std::uint64_t known_ SUBMIX_GUARDED_BY(mutex_) = 0;  // the greatest epoch given, met or heard
  std::uint64_t own_ SUBMIX_GUARDED_BY(mutex_) = 0;    // the greatest epoch given or met here
  std::mt19937_64 random_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::agent
