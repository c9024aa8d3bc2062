// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/media/frame.hpp"
#include "node/engine/wiring.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace submix::engine {

/// A frame that a worker has made.
struct Finished {
  std::uint64_t position = 0;
  media::Frame frame = {};
  std::shared_ptr<const Wiring> wiring = nullptr;         ///< as it is for that frame
  std::optional<std::chrono::nanoseconds> computed = {};  ///< how long; empty: its plugin made none
  bool is_passed_on = false;                              ///< it is one of its inputs
};

/// How the workers of a stage share its frames: one at a time takes the next frame, and frames leave in the
/// order in which they were taken, each when those before it have left. A frame that is finished before an
/// earlier one is kept until then, and its worker goes on with its next one: so a hand on a slow core, or one
/// that was interrupted, does not set the pace of all. While frames leave, none is kept: its worker waits, or
/// where the readers set the pace one worker would give away what the others make, for ever. The first frames
/// go round, one to each worker: so what a plugin's instance does for its first frame is done early, however
/// busy the machine is. Later whoever comes first takes one; but when a worker that waits has been passed
/// over passed_over_max times, the others wait for it, though it may have yet to be woken: what it is to do
/// with its next frame, such as to take over parameters, is done soon.
///
/// Threads  Synchronized; begin_at() before the others only.
/// Cost     One short lock for each call, and the wait.
class ReorderBuffer {
 public:
  /// Frames that are kept at once, at most: as many as there are other workers beside the late one.
  [[nodiscard]] static constexpr std::size_t kept_max(std::size_t workers) { return workers - 1; }
  /// Not fewer: to wait for a worker that has yet to be woken costs more than a frame that takes no time.
  static constexpr std::uint64_t passed_over_max = 30;

  /// The first frame, and how many workers there are.
  void begin_at(std::uint64_t position, std::size_t workers) SUBMIX_EXCLUDES(mutex_);

  /// By worker number `worker`. Never waits. False: it is another worker's turn, or no frame is to be taken
  /// any more.
  [[nodiscard]] bool try_take(std::size_t worker) SUBMIX_EXCLUDES(mutex_);
  /// Waits until it is not another worker's turn. False: none is to be taken any more.
  [[nodiscard]] bool take(std::size_t worker) SUBMIX_EXCLUDES(mutex_);
  /// After the frame was taken; `is_last`: it was not, and none is to be.
  void end_taking(bool is_last) SUBMIX_EXCLUDES(mutex_);

  /// Whether all frames before `position` have left.
  [[nodiscard]] bool may_deliver(std::uint64_t position) const SUBMIX_EXCLUDES(mutex_);
  /// Waits until all frames before `position` have left. False: closed.
  [[nodiscard]] bool wait_for_earlier(std::uint64_t position) SUBMIX_EXCLUDES(mutex_);

  /// What becomes of a frame that is finished: its worker gives it away `now`, and tells by delivered(); it is
  /// `kept` (moved from), for the worker whose frame leaves before it; `not_yet`: others leave just now, or
  /// there is no room to keep it; or nothing leaves any more.
  enum class Delivery { now, kept, not_yet, closed };
  /// Never waits.
  [[nodiscard]] Delivery try_deliver(Finished& finished) SUBMIX_EXCLUDES(mutex_);
  /// Waits while it is not yet.
  [[nodiscard]] Delivery wait_to_deliver(Finished& finished) SUBMIX_EXCLUDES(mutex_);
  /// The frame whose turn it was has left. The next one, if it was kept: the same worker gives it away, too.
  [[nodiscard]] std::optional<Finished> delivered() SUBMIX_EXCLUDES(mutex_);

  /// Nobody waits any more, and what was kept is let go.
  void close() SUBMIX_EXCLUDES(mutex_);

 private:
  [[nodiscard]] bool is_free_for(std::size_t worker) const SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] bool is_overdue(std::size_t worker) const SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] Delivery place(Finished& finished) SUBMIX_REQUIRES(mutex_);

  mutable Mutex mutex_;
  Condition changed_;
  std::uint64_t leaving_ SUBMIX_GUARDED_BY(mutex_) = 0;  // the position whose turn it is
  std::vector<Finished> kept_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<std::optional<std::uint64_t>> waiting_since_
      SUBMIX_GUARDED_BY(mutex_);  // each worker: `taken_`
  std::uint64_t taken_ SUBMIX_GUARDED_BY(mutex_) = 0;
  bool is_taking_ SUBMIX_GUARDED_BY(mutex_) = false;
  bool is_leaving_ SUBMIX_GUARDED_BY(mutex_) =
      false;  // somebody gives away the frame whose turn it is
  bool is_over_ SUBMIX_GUARDED_BY(mutex_) = false;
  bool is_closed_ SUBMIX_GUARDED_BY(mutex_) = false;
};

}  // namespace submix::engine
