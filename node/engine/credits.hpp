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
/// Cost     One short lock; allocates only when terminal slots are added.
class Credits {
 public:
  explicit Credits(std::uint64_t frames_in_flight_max);

  /// Whether frame `position` may start now; then it counts as started.
  [[nodiscard]] bool try_start(std::uint64_t position) SUBMIX_EXCLUDES(mutex_);
  enum class Start { now, look_again, stop };
  /// Waits until frame `position` may start, the patch has changed since `edits()` was `edits`, or a stop is
  /// asked for.
  [[nodiscard]] Start wait_to_start(std::uint64_t position, std::uint64_t edits,
                                    const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);
  /// How often the patch was changed.
  [[nodiscard]] std::uint64_t edits() const SUBMIX_EXCLUDES(mutex_);
  /// One more frame has passed terminal slot number `terminal`.
  void complete(std::size_t terminal) SUBMIX_EXCLUDES(mutex_);

  /// A new terminal slot, which all frames before `first` need not pass; its number.
  [[nodiscard]] std::size_t add_terminal(std::uint64_t first) SUBMIX_EXCLUDES(mutex_);
  /// Frames from `end` on need not pass it.
  void end_terminal(std::size_t terminal, std::uint64_t end) SUBMIX_EXCLUDES(mutex_);
  /// Nobody will complete() it any more: its number may be given to another one.
  void forget_terminal(std::size_t terminal) SUBMIX_EXCLUDES(mutex_);
  /// Waits until all other terminal slots have passed the frames before `position`. False: a stop was asked
  /// for.
  [[nodiscard]] bool wait_for_others(std::uint64_t position, const std::stop_token& stop)
      SUBMIX_EXCLUDES(mutex_);

  /// The first frame that no source has started. None starts it until release(); those before it may go on.
  [[nodiscard]] std::uint64_t hold() SUBMIX_EXCLUDES(mutex_);
  void release() SUBMIX_EXCLUDES(mutex_);
  /// After a change of the patch.
  void release(std::uint64_t frames_in_flight_max) SUBMIX_EXCLUDES(mutex_);

  /// Frames that have passed all terminal slots.
  [[nodiscard]] std::uint64_t completed() const SUBMIX_EXCLUDES(mutex_);

 private:
  struct Terminal {
    std::uint64_t passed;
    std::uint64_t end;
    bool is_free = false;
  };

  [[nodiscard]] bool may_start(std::uint64_t position) const SUBMIX_REQUIRES(mutex_);
  void update() SUBMIX_REQUIRES(mutex_);

  mutable Mutex mutex_;
  Condition freed_;
  std::uint64_t frames_in_flight_max_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<Terminal> terminals_ SUBMIX_GUARDED_BY(mutex_);
  std::uint64_t completed_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::uint64_t started_ SUBMIX_GUARDED_BY(mutex_) =
      0;  // one more than the newest that some source has begun
  bool is_held_ SUBMIX_GUARDED_BY(mutex_) = false;
  std::uint64_t edits_ SUBMIX_GUARDED_BY(mutex_) = 0;
};

}  // namespace submix::engine
