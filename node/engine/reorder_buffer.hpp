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

/// A frame made by a worker, ready for delivery.
struct FinishedFrame {
  std::uint64_t position = 0;
  media::Frame frame = {};
  std::shared_ptr<const Wiring> wiring = nullptr;  ///< the stage's wiring at this frame
  /// computing time; empty: the plugin made no frame
  std::optional<std::chrono::nanoseconds> computed = {};
  bool is_passed_on = false;  ///< the frame is one of the stage's inputs
};

/// Lets several workers share the frames of a stage and delivers their frames in order.
///
/// Workers take frames in turn: a single worker at a time takes the next frame. Finished frames are
/// delivered in the order in which they were taken. A frame that is finished too early is held back
/// here, and its worker takes another frame. So a slow or interrupted worker does not slow the
/// others. The worker that delivers the earlier frame then delivers the held-back
/// frames behind it.
///
/// During a delivery no frame is held back; its worker waits instead. Otherwise, where the readers
/// set the pace, the delivering worker would deliver the others' frames for ever.
///
/// The first frames go round, a frame to each worker: the costly first call of each plugin instance
/// happens early, even on a busy machine. Later the first worker to come takes the next frame. A
/// waiting worker that was passed over `kPassedOverMax` times goes before the others, even if it
/// must still wake up. So each worker soon has a frame, with which it applies new parameters.
///
/// Threads  Synchronized; begin_at() only before all other calls.
/// Cost     A short lock for each call, and the wait.
class ReorderBuffer {
 public:
  /// The most frames held back at once: a frame for each worker but the late one.
  [[nodiscard]] static constexpr std::size_t held_back_max(std::size_t workers) {
    return workers - 1;
  }
  /// How often a waiting worker may be passed over. With fewer, waking a worker would cost more
  /// than a frame that takes hardly any time.
  static constexpr std::uint64_t kPassedOverMax = 30;

  /// Sets the position of the first frame and the number of workers.
  void begin_at(std::uint64_t position, std::size_t workers) SUBMIX_EXCLUDES(mutex_);

  /// Begins the taking of a frame, by worker number `worker`. Never waits. False: another worker
  /// goes first, or taking has ended.
  [[nodiscard]] bool try_take(std::size_t worker) SUBMIX_EXCLUDES(mutex_);
  /// Like try_take(), but waits while another worker goes first. False: taking has ended.
  [[nodiscard]] bool take(std::size_t worker) SUBMIX_EXCLUDES(mutex_);
  /// Ends the turn begun by take(). `is_last`: nothing was taken and nothing more will be.
  void end_taking(bool is_last) SUBMIX_EXCLUDES(mutex_);

  /// True: all frames before `position` are delivered.
  [[nodiscard]] bool may_deliver(std::uint64_t position) const SUBMIX_EXCLUDES(mutex_);
  /// Waits until all frames before `position` are delivered. False: closed.
  [[nodiscard]] bool wait_for_earlier(std::uint64_t position) SUBMIX_EXCLUDES(mutex_);

  /// What happens to a finished frame. `now`: its worker delivers it and then calls delivered().
  /// `held_back`: it stays here (moved from); the worker that delivers the frame before it will
  /// deliver it too. `not_yet`: another delivery is under way, or no room is left. `closed`:
  /// deliveries have ended.
  enum class Delivery { now, held_back, not_yet, closed };
  /// Never waits.
  [[nodiscard]] Delivery try_deliver(FinishedFrame& finished) SUBMIX_EXCLUDES(mutex_);
  /// Waits while the answer would be `not_yet`.
  [[nodiscard]] Delivery wait_to_deliver(FinishedFrame& finished) SUBMIX_EXCLUDES(mutex_);
  /// Ends a delivery. Returns the next frame if it was held back: the same worker delivers it as
  /// well.
  [[nodiscard]] std::optional<FinishedFrame> delivered() SUBMIX_EXCLUDES(mutex_);

  /// Ends all waiting and drops the frames held back.
  void close() SUBMIX_EXCLUDES(mutex_);

 private:
  [[nodiscard]] bool is_free_for(std::size_t worker) const SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] bool is_overdue(std::size_t worker) const SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] Delivery decide(FinishedFrame& finished) SUBMIX_REQUIRES(mutex_);

  mutable Mutex mutex_;
  Condition changed_;
  // position of the next frame to deliver
  std::uint64_t next_delivery_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::vector<FinishedFrame> held_back_ SUBMIX_GUARDED_BY(mutex_);
  // for each worker: `taken_` when its wait began; empty: not waiting
  std::vector<std::optional<std::uint64_t>> waiting_since_ SUBMIX_GUARDED_BY(mutex_);
  std::uint64_t taken_ SUBMIX_GUARDED_BY(mutex_) = 0;
  bool is_taking_ SUBMIX_GUARDED_BY(mutex_) = false;
  // a worker delivers frame `next_delivery_` just now
  bool is_delivering_ SUBMIX_GUARDED_BY(mutex_) = false;
  bool is_over_ SUBMIX_GUARDED_BY(mutex_) = false;
  bool is_closed_ SUBMIX_GUARDED_BY(mutex_) = false;
};

}  // namespace submix::engine
