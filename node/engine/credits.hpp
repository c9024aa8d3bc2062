// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/stream/frame_window.hpp"
#include "node/plugin/plugin.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace submix::engine {

/// Decides when the sources of a patch start a frame: as late as possible, since a frame that waits
/// at the end of the patch only grows old.
///
/// Frame n may start while n < completed + cap. `completed` is the smallest count of all terminal
/// slots; the cap limits memory and load. A patch that follows demand starts fewer frames: for each
/// terminal slot, one frame beyond those that have passed it, or as many as the receivers of its
/// stream would take. To these the patch adds frames_ahead(), which it learns from the spare time
/// that terminal slots report.
///
/// Threads  Synchronized.
/// Cost     One short lock; allocates only when terminal slots are added.
class Credits {
 public:
  /// The demand of a terminal slot; see plugin::Plugin::demand(). Called with the credits' lock
  /// held.
  using GetDemand = std::function<std::optional<plugin::Demand>()>;

  /// A patch without a rate does not follow demand: it runs as fast as it can.
  Credits(std::uint64_t frames_in_flight_max, bool follows_demand);

  /// True: frame `position` may start now, and counts as started.
  [[nodiscard]] bool try_start(std::uint64_t position) SUBMIX_EXCLUDES(mutex_);
  enum class Start { now, look_again, stop };
  /// Waits until frame `position` may start, the edit count differs from `edits`, or a stop is
  /// requested.
  [[nodiscard]] Start wait_to_start(std::uint64_t position, std::uint64_t edits,
                                    const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);
  /// The number of edits so far.
  [[nodiscard]] std::uint64_t edits() const SUBMIX_EXCLUDES(mutex_);
  /// Counts the next frame as passed by terminal slot number `terminal`.
  void complete(std::size_t terminal) SUBMIX_EXCLUDES(mutex_);

  /// Adds a terminal slot whose first frame is `first`. Its first frame may start without demand:
  /// a stream may need a frame to find its receiver. Returns the slot's number.
  [[nodiscard]] std::size_t add_terminal(std::uint64_t first, GetDemand demand = {})
      SUBMIX_EXCLUDES(mutex_);
  /// Frames from `end` on no longer pass this terminal slot.
  void end_terminal(std::size_t terminal, std::uint64_t end) SUBMIX_EXCLUDES(mutex_);
  /// Frees the number for another terminal slot. complete() is never called for the old slot again,
  /// and after this call nobody asks for its demand.
  void forget_terminal(std::size_t terminal) SUBMIX_EXCLUDES(mutex_);
  /// The demand of a terminal slot may have grown.
  void demand_grew() SUBMIX_EXCLUDES(mutex_);
  /// A terminal slot used a frame at `now`. `spare`: how long the frame had waited for its time or
  /// its receivers; negative: how late it came.
  void note_spare(std::chrono::nanoseconds spare, LocalTime now) SUBMIX_EXCLUDES(mutex_);
  /// Starts as many frames ahead as the cap allows, until terminal slots have reported their spare
  /// time for a second. Call it before an edit, which takes time and may make frames take longer.
  void start_ahead() SUBMIX_EXCLUDES(mutex_);
  /// How many frames the patch now starts before they are wanted.
  [[nodiscard]] std::uint64_t frames_ahead() const SUBMIX_EXCLUDES(mutex_);
  /// Waits until all other terminal slots have passed the frames before `position`. False: a stop
  /// was requested.
  [[nodiscard]] bool wait_for_others(std::uint64_t position, const std::stop_token& stop)
      SUBMIX_EXCLUDES(mutex_);

  /// Returns the first frame that no source has started. No source starts this frame before
  /// release(); earlier frames may start meanwhile.
  [[nodiscard]] std::uint64_t hold() SUBMIX_EXCLUDES(mutex_);
  void release() SUBMIX_EXCLUDES(mutex_);
  /// The same after an edit of the patch.
  void release(std::uint64_t frames_in_flight_max) SUBMIX_EXCLUDES(mutex_);

  /// Frames that have passed all terminal slots.
  [[nodiscard]] std::uint64_t completed() const SUBMIX_EXCLUDES(mutex_);

 private:
  struct Terminal {
    std::uint64_t passed;
    std::uint64_t end;
    std::uint64_t first = 0;
    GetDemand demand = {};
    bool is_free = false;
  };

  [[nodiscard]] bool may_start(std::uint64_t position) const SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] bool is_wanted(const Terminal& terminal, std::uint64_t position) const
      SUBMIX_REQUIRES(mutex_);
  void update() SUBMIX_REQUIRES(mutex_);

  const bool follows_demand_;
  mutable Mutex mutex_;
  Condition freed_;
  std::uint64_t frames_in_flight_max_ SUBMIX_GUARDED_BY(mutex_);
  stream::FrameWindow ahead_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<Terminal> terminals_ SUBMIX_GUARDED_BY(mutex_);
  std::uint64_t completed_ SUBMIX_GUARDED_BY(mutex_) = 0;
  // 1 + the newest frame that any source has started
  std::uint64_t started_ SUBMIX_GUARDED_BY(mutex_) = 0;
  bool is_held_ SUBMIX_GUARDED_BY(mutex_) = false;
  std::uint64_t edits_ SUBMIX_GUARDED_BY(mutex_) = 0;
};

}  // namespace submix::engine
