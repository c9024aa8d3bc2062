// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/show/document.hpp"
#include "node/engine/modulation.hpp"
#include "node/engine/wiring.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace submix::engine {

/// A change of the wiring before frame `position`. No wiring: the stage ends there.
struct WiringChange {
  std::uint64_t position = 0;
  std::shared_ptr<const Wiring> wiring;
};

/// A change of the modulation from frame `position` on.
struct ModulationChange {
  std::uint64_t position = 0;
  std::shared_ptr<const Modulation> modulation;  ///< null: nothing moves
  show::Parameters settled;                      ///< values of parameters that stop moving
};

/// Changes of parameters that a worker applies before its next frame.
struct ParameterChanges {
  show::Parameters values;
  std::vector<ModulationChange> modulations;  ///< in order; applied after `values`
};

/// Counts of an input's former queues.
struct EndedQueues {
  std::uint64_t put = 0;    ///< frames
  std::uint64_t taken = 0;  ///< frames
};

/// Requests from other threads to a running stage: changes of its wiring and its parameters,
/// bypass, and its end. The stage's workers apply them between frames.
///
/// Threads  Synchronized; begin_with() before all other calls.
/// Cost     A worker's call takes a short lock at most. Requests allocate.
class StageControl {
 public:
  StageControl(std::size_t workers, bool is_bypassed);

  // Requests, by any thread.

  /// Changes the wiring from frame `position` on. No source may have started this frame.
  void rewire(std::uint64_t position, Wiring wiring) SUBMIX_EXCLUDES(mutex_);
  /// Ends the stage before frame `position`, which no source may have started, and frees what it
  /// holds. If its thread is also asked to stop, the stage is hurried: it no longer calls its
  /// plugin, and its input or its last frame replaces each frame that it still has to deliver.
  void retire(std::uint64_t position) SUBMIX_EXCLUDES(mutex_);
  /// Ends all waits on this stage's queues, for good.
  void close() SUBMIX_EXCLUDES(mutex_);

  /// Sets parameters; all of them hold from the next frame on.
  void tune(const show::Parameters& values) SUBMIX_EXCLUDES(mutex_);
  /// Replaces the modulation from frame `position` on, which no source may have started (null:
  /// nothing moves). Parameters that stop moving get their `settled` values.
  void modulate(std::uint64_t position, std::shared_ptr<const Modulation> modulation,
                const show::Parameters& settled = {}) SUBMIX_EXCLUDES(mutex_);
  /// Turning a bypass off lets a plugin that has given up try again.
  void set_bypassed(bool is_bypassed);

  /// The modulation that modulate() was given last.
  [[nodiscard]] std::shared_ptr<const Modulation> modulation() const SUBMIX_EXCLUDES(mutex_);
  /// The present wiring.
  [[nodiscard]] std::shared_ptr<const Wiring> wiring() const SUBMIX_EXCLUDES(mutex_);
  /// The present wiring with the counts of its inputs' former queues, at the same moment.
  struct QueueHistory {
    std::shared_ptr<const Wiring> wiring;
    std::map<Wiring::Edge, EndedQueues> ended;
  };
  [[nodiscard]] QueueHistory queue_history() const SUBMIX_EXCLUDES(mutex_);
  /// Waits until the stage has ended. False: the deadline came first.
  bool wait_until_over(LocalTime deadline) const SUBMIX_EXCLUDES(mutex_);
  void wait_until_over(const std::stop_token& stop) const SUBMIX_EXCLUDES(mutex_);

  // For the stage's workers.

  /// Sets the first wiring.
  void begin_with(std::shared_ptr<const Wiring> wiring) SUBMIX_EXCLUDES(mutex_);
  /// The oldest wiring change, if it comes before frame `position`; empty: none.
  [[nodiscard]] std::optional<WiringChange> due_change(std::uint64_t position) const
      SUBMIX_EXCLUDES(mutex_);
  /// The change that due_change() returned is applied: its wiring is the present one from now on.
  void change_applied() SUBMIX_EXCLUDES(mutex_);
  /// Waits until a wiring change before frame `position` is due. False: closed.
  [[nodiscard]] bool wait_for_change(std::uint64_t position) SUBMIX_EXCLUDES(mutex_);
  /// A hint without the lock: a wiring change before frame `position` may be due.
  [[nodiscard]] bool may_have_change(std::uint64_t position) const {
    return next_change_.load(std::memory_order_relaxed) <= position;
  }

  /// A hint without the lock: take_parameter_changes() may return something.
  [[nodiscard]] bool has_parameter_changes(std::size_t worker) const {
    return for_worker_[worker].has_changes.load(std::memory_order_relaxed);
  }
  /// The changes that worker number `worker` applies before frame `position`.
  [[nodiscard]] ParameterChanges take_parameter_changes(std::size_t worker, std::uint64_t position)
      SUBMIX_EXCLUDES(mutex_);
  /// True once for each worker after a bypass was turned off.
  [[nodiscard]] bool take_retry(std::size_t worker) {
    auto& tries_again = for_worker_[worker].tries_again;
    return tries_again.load(std::memory_order_relaxed) &&
           tries_again.exchange(false, std::memory_order_relaxed);
  }

  [[nodiscard]] bool is_bypassed() const { return is_bypassed_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool is_retiring() const { return is_retiring_.load(std::memory_order_relaxed); }
  /// True: the stage is retired and its thread was asked to stop.
  [[nodiscard]] bool is_hurried(const std::stop_token& stop) const {
    return is_retiring() && stop.stop_requested();
  }
  [[nodiscard]] bool is_closed() const { return closed_.stop_requested(); }
  /// Requested by close().
  [[nodiscard]] std::stop_token closed() const { return closed_.get_token(); }
  /// The stage has ended.
  void set_over() SUBMIX_EXCLUDES(mutex_);

 private:
  static constexpr auto kNever = std::numeric_limits<std::uint64_t>::max();

  /// Changes a worker has not applied yet.
  struct PendingChanges {
    show::Parameters values;                   // applied with the next frame
    std::deque<ModulationChange> modulations;  // each applied with its own frame, in order
  };
  struct ForWorker {
    std::atomic<bool> tries_again = false;  // relaxed: stands alone
    std::atomic<bool> has_changes = false;  // a hint that spares the lock; written under the lock
  };

  void add_change(std::uint64_t position, std::shared_ptr<const Wiring> wiring)
      SUBMIX_EXCLUDES(mutex_);
  void count_ended_queues(const Wiring& next) SUBMIX_REQUIRES(mutex_);
  void update_next_change() SUBMIX_REQUIRES(mutex_);

  std::vector<ForWorker> for_worker_;
  std::atomic<bool> is_bypassed_;                    // relaxed: stands alone
  std::atomic<bool> is_retiring_ = false;            // a hint; an entry of changes_ says when
  std::atomic<std::uint64_t> next_change_ = kNever;  // position of the first change
  std::stop_source closed_;

  mutable Mutex mutex_;
  mutable Condition changed_;
  std::deque<WiringChange> changes_ SUBMIX_GUARDED_BY(mutex_);  // in order of position
  std::shared_ptr<const Wiring> wiring_ SUBMIX_GUARDED_BY(mutex_);
  std::map<Wiring::Edge, EndedQueues> ended_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<PendingChanges> pending_ SUBMIX_GUARDED_BY(mutex_);  // for each worker
  std::shared_ptr<const Modulation> modulation_ SUBMIX_GUARDED_BY(mutex_);
  bool is_over_ SUBMIX_GUARDED_BY(mutex_) = false;
};

}  // namespace submix::engine
