// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"

#include <cstddef>
#include <cstdint>

namespace submix::engine {

/// How the hands of a stage share its frames: one at a time takes the next frame, and frames leave in the
/// order in which they were taken, each when those before it have left. The first frames go round, one to
/// each hand: so what a plugin's instance does for its first frame is done early, however busy the machine
/// is.
///
/// Threads  Synchronized; begin_at() before the others only.
/// Cost     One short lock for each call, and the wait.
class Turns {
 public:
  /// The first frame, and how many hands there are.
  void begin_at(std::uint64_t position, std::size_t hands) SUBMIX_EXCLUDES(mutex_);

  /// By hand number `hand`. Never waits. False: it is another hand's turn, or no frame is to be taken any
  /// more.
  [[nodiscard]] bool try_take(std::size_t hand) SUBMIX_EXCLUDES(mutex_);
  /// Waits until it is not another hand's turn. False: none is to be taken any more.
  [[nodiscard]] bool take(std::size_t hand) SUBMIX_EXCLUDES(mutex_);
  /// After the frame was taken; `is_last`: it was not, and none is to be.
  void end_taking(bool is_last) SUBMIX_EXCLUDES(mutex_);

  /// Whether all frames before `position` have left.
  [[nodiscard]] bool may_leave(std::uint64_t position) const SUBMIX_EXCLUDES(mutex_);
  /// Waits until all frames before `position` have left. False: closed.
  [[nodiscard]] bool wait_to_leave(std::uint64_t position) SUBMIX_EXCLUDES(mutex_);
  /// The frame whose turn it was has left.
  void leave() SUBMIX_EXCLUDES(mutex_);

  /// Nobody waits any more.
  void close() SUBMIX_EXCLUDES(mutex_);

 private:
  [[nodiscard]] bool is_free_for(std::size_t hand) const SUBMIX_REQUIRES(mutex_) {
    return !is_taking_ && (hand == next_first_ || next_first_ >= hands_);
  }

  mutable Mutex mutex_;
  Condition changed_;
  std::uint64_t leaving_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::size_t hands_ SUBMIX_GUARDED_BY(mutex_) = 1;
  std::size_t next_first_ SUBMIX_GUARDED_BY(mutex_) = 0;  // the hand that takes its first frame next
  bool is_taking_ SUBMIX_GUARDED_BY(mutex_) = false;
  bool is_over_ SUBMIX_GUARDED_BY(mutex_) = false;
  bool is_closed_ SUBMIX_GUARDED_BY(mutex_) = false;
};

}  // namespace submix::engine
