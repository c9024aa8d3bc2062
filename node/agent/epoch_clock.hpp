// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <random>

namespace submix::agent {

/// Numbers the lives of a node's streams and patches, so that a life is greater than those before it,
/// wherever they ran: by the wall clock while that is ahead; above what was heard of other nodes where it is
/// not. This PC's clock may be minutes behind another's, or in 1970.
///
/// Threads  Synchronized.
/// Source   Lamport's clock, with the time of day in it.
class EpochClock {
 public:
  /// Nanoseconds since 1970.
  using WallClock = std::function<std::chrono::nanoseconds()>;

  explicit EpochClock(WallClock wall_clock = {});  ///< empty: the machine's own

  /// Of a life that begins now: greater than all that were given, met and heard of here. Two nodes that have
  /// heard the same do not give the same.
  [[nodiscard]] std::uint64_t next() SUBMIX_EXCLUDES(mutex_);
  /// Whether an epoch may be true; see wire::believed_epoch_max().
  [[nodiscard]] bool is_believable(std::uint64_t epoch) const;
  /// What another node reports. An epoch that is not believable changes nothing.
  void hear(std::uint64_t epoch) SUBMIX_EXCLUDES(mutex_);
  /// What a receiver of this node is in. An epoch that is not believable changes nothing.
  void meet(std::uint64_t epoch) SUBMIX_EXCLUDES(mutex_);
  /// What other nodes must hear: the greatest that was given or met here. Not what was only heard: each node
  /// would repeat every other one's.
  [[nodiscard]] std::uint64_t to_be_told() const SUBMIX_EXCLUDES(mutex_);

 private:
  const WallClock wall_clock_;
  mutable Mutex mutex_;
  std::uint64_t known_ SUBMIX_GUARDED_BY(mutex_) = 0;  // the greatest of all
  std::uint64_t own_ SUBMIX_GUARDED_BY(mutex_) = 0;    // given or met here
  std::mt19937_64 random_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::agent
