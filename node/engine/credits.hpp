// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace submix::engine {

/// Caps the frames in flight from the sources of a patch to its terminal slots: frame n may start once
/// n < completed + cap, where completed is the least of all terminal slots.
///
/// Without it every queue would fill, and spare computing power would become latency.
///
/// Threads  Synchronized.
/// Cost     One short lock; allocates in the constructor only.
class Credits {
 public:
  Credits(std::size_t terminals, std::uint64_t frames_in_flight_max);

  /// Whether frame `position` may start now.
  [[nodiscard]] bool try_start(std::uint64_t position) const SUBMIX_EXCLUDES(mutex_);
  /// Waits until frame `position` may start. False: a stop was asked for.
  [[nodiscard]] bool wait_to_start(std::uint64_t position, const std::stop_token& stop) const
      SUBMIX_EXCLUDES(mutex_);
  /// One more frame has passed terminal slot number `terminal`.
  void complete(std::size_t terminal) SUBMIX_EXCLUDES(mutex_);

  /// Frames that have passed all terminal slots.
  [[nodiscard]] std::uint64_t completed() const SUBMIX_EXCLUDES(mutex_);

 private:
  const std::uint64_t frames_in_flight_max_;
  mutable Mutex mutex_;
  mutable Condition freed_;
  std::vector<std::uint64_t> passed_ SUBMIX_GUARDED_BY(mutex_);  // by each terminal slot
  std::uint64_t completed_ SUBMIX_GUARDED_BY(mutex_) = 0;
};

}  // namespace submix::engine
