// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/telemetry/latencies.hpp"
#include "common/telemetry/readings.hpp"
#include "node/engine/holders.hpp"
#include "node/engine/modulation.hpp"
#include "node/engine/reorder_buffer.hpp"
#include "node/engine/stage_parts.hpp"
#include "node/engine/tap.hpp"
#include "node/engine/wiring.hpp"
#include "node/engine/worker.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::engine {

/// A running slot. It has a bounded queue for each input, and a plugin instance with its owner
/// thread, or several of both that share the frames (workers).
///
/// rewire() and retire() change the wiring at frame boundaries while the stage runs. The plugin and
/// its state stay.
///
/// Threads  run(): the owner thread. All others: any thread; begin_at() and wait_for() only before
///          run().
class Stage {
 public:
  Stage(StageParts parts, const StageContext& context);

  /// Sets the first frame and the wiring for it.
  void begin_at(std::uint64_t position, Wiring wiring) SUBMIX_EXCLUDES(mutex_);
  /// Makes the first frame wait until `predecessor`, the former stage of this slot, has ended.
  void wait_for(std::shared_ptr<Stage> predecessor) {
    predecessors_.push_back(std::move(predecessor));
  }
  /// Changes the wiring from frame `position` on. No source may have started this frame.
  void rewire(std::uint64_t position, Wiring wiring) SUBMIX_EXCLUDES(mutex_);
  /// Ends the stage before frame `position`, which no source may have started, and frees what it
  /// holds. If its thread is also asked to stop, it does not wait for its plugin: its input or its
  /// last frame replaces each frame it owes.
  void retire(std::uint64_t position) SUBMIX_EXCLUDES(mutex_);

  /// Makes frame after frame until close() was called and a stop requested, or until retired.
  void run(const std::stop_token& stop);
  /// Ends all waiting on this stage's queues, for good.
  void close() SUBMIX_EXCLUDES(mutex_);
  /// Waits until run() has ended. False: the deadline came first.
  bool wait_until_over(LocalTime deadline) const SUBMIX_EXCLUDES(mutex_);
  void wait_until_over(const std::stop_token& stop) const SUBMIX_EXCLUDES(mutex_);

  /// Sets parameters; all of them hold from the next frame on.
  void tune(const show::Parameters& values) SUBMIX_EXCLUDES(mutex_);
  /// Replaces the modulation from frame `position` on, which no source may have started (null:
  /// nothing moves). Parameters that stop moving get their `settled` values.
  void modulate(std::uint64_t position, std::shared_ptr<const Modulation> modulation,
                const show::Parameters& settled = {}) SUBMIX_EXCLUDES(mutex_);
  /// The modulation that modulate() was given last.
  [[nodiscard]] std::shared_ptr<const Modulation> modulation() const SUBMIX_EXCLUDES(mutex_);
  /// Turning a bypass off lets a plugin that has given up try again.
  void set_bypassed(bool is_bypassed);
  /// When the longest-running call of a plugin began; empty: no call runs.
  [[nodiscard]] std::optional<LocalTime> in_plugin_since() const;
  [[nodiscard]] const Tap& tap() const { return tap_; }
  /// If the plugin keeps a display's time: adds how late the display has shown frames.
  void add_lateness(telemetry::SubmixReading& reading) const SUBMIX_EXCLUDES(ending_);
  [[nodiscard]] telemetry::StageReading reading() const SUBMIX_EXCLUDES(mutex_);
  /// The seats of the plugin's own pool; empty: it has no pool.
  [[nodiscard]] std::vector<media::SeatNote> own_seats() const;
  /// The present wiring.
  [[nodiscard]] std::shared_ptr<const Wiring> wiring() const SUBMIX_EXCLUDES(mutex_);
  /// This stage's mark on the frames it holds.
  [[nodiscard]] std::uint64_t holder() const { return holder_.mark(); }

  [[nodiscard]] const std::string& slot() const { return slot_; }
  [[nodiscard]] const plugin::Description& description() const { return description_; }
  [[nodiscard]] std::size_t workers() const { return workers_.size(); }
  /// Frames kept by all of the plugin's instances.
  [[nodiscard]] std::size_t frames_retained() const { return frames_retained_; }
  [[nodiscard]] std::optional<std::size_t> frames_lent() const { return frames_lent_; }
  [[nodiscard]] bool shows_inputs() const { return shows_inputs_; }
  [[nodiscard]] bool shares_outputs() const { return shares_outputs_; }
  [[nodiscard]] bool is_connected() const { return is_connected_; }

 private:
  /// A change of the wiring before frame `position`. No wiring: the stage ends there.
  struct WiringChange {
    std::uint64_t position;
    std::shared_ptr<const Wiring> wiring;
  };

  /// A change of the modulation from frame `position` on.
  struct ModulationChange {
    std::uint64_t position;
    std::shared_ptr<const Modulation> modulation;
    show::Parameters settled;
  };
  /// Changes this worker has not applied yet.
  struct PendingChanges {
    show::Parameters values;                   // applied with the next frame
    std::deque<ModulationChange> modulations;  // each applied with its own frame, in order
  };

  /// Counts of an input's former queues.
  struct EndedQueues {
    std::uint64_t put = 0;
    std::uint64_t taken = 0;
  };

  static constexpr auto kNever = std::numeric_limits<std::uint64_t>::max();

  void add_wiring_change(std::uint64_t position, std::shared_ptr<const Wiring> wiring)
      SUBMIX_EXCLUDES(mutex_);
  void work(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] bool process_frame(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] bool wait_for_turn(Worker& worker);
  [[nodiscard]] bool take_frame(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] bool apply_wiring_changes(Worker& worker) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool changes_readers(const Wiring& next) const;
  void apply_wiring(std::shared_ptr<const Wiring> next, Worker& worker) SUBMIX_REQUIRES(mutex_);
  void count_ended_queues(const Wiring& next) SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] bool wait_for_wiring_change() SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool gather_inputs(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] bool wait_for_credit(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] std::optional<media::Frame> pop_input(FrameQueue& queue, Worker& worker);
  [[nodiscard]] bool wait_for_show_time(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] bool is_after_pause();
  void apply_parameters(Worker& worker) SUBMIX_EXCLUDES(mutex_);
  void apply_pending(Worker& worker) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] plugin::Work next_work(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] std::optional<media::Frame> make_frame(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] std::optional<media::Frame> repeat_last_frame(plugin::Work& work);
  [[nodiscard]] std::optional<media::Frame> pass_input_on(plugin::Work& work);
  [[nodiscard]] bool deliver_in_order(Worker& worker, FinishedFrame finished,
                                      const std::stop_token& stop);
  [[nodiscard]] bool deliver(Worker& worker, FinishedFrame finished, const std::stop_token& stop);
  void update_tap(const FinishedFrame& finished);
  [[nodiscard]] bool push_to_readers(Worker& worker, const FinishedFrame& finished,
                                     const std::stop_token& stop);
  void release_all() SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool is_retiring() const { return is_retiring_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool is_hurried(const std::stop_token& stop) const {
    return is_retiring() && stop.stop_requested();
  }
  void enter(Worker& worker, plugin::StageState state) {
    worker.shares.enter(state, context_.clock.now());
  }

  // Constant.
  const StageContext& context_;
  const Holder holder_;
  const std::string slot_;
  const plugin::Description& description_;
  const plugin::PluginTraits traits_;
  std::vector<std::shared_ptr<Stage>> predecessors_;  // the owner thread's once it runs
  std::deque<Worker> workers_;

  // Owned by the worker that takes a frame at the moment.
  std::shared_ptr<const Wiring> wiring_;
  std::uint64_t first_ = 0;
  std::uint64_t position_ = 0;       // of the next frame
  bool keeps_show_time_ = true;      // at the last frame
  Transport::State transport_seen_;  // at the last frame with a display's pace
  bool is_new_terminal_ = false;     // the slot has just become a terminal slot

  // Shared by the workers.
  Tap tap_;
  ReorderBuffer order_;
  // computing time for each frame; written by the worker that delivers
  telemetry::Latencies frame_times_;
  std::atomic<std::uint64_t> frames_ = 0;            // relaxed: stands alone
  std::atomic<std::uint64_t> frames_passed_by_ = 0;  // relaxed: stands alone
  std::atomic<bool> is_bypassed_;                    // relaxed: stands alone
  std::atomic<bool> has_complained_ = false;         // relaxed: stands alone
  std::stop_source closed_;                          // by close()
  std::atomic<bool> is_retiring_ = false;            // a hint; an entry of changes_ says when
  // position of the first change; written under mutex_
  std::atomic<std::uint64_t> next_change_ = kNever;
  // keeps the plugins alive for readers of their counters; no frame waits for it
  mutable Mutex ending_;
  mutable Mutex mutex_;
  mutable Condition changed_;
  std::deque<WiringChange> changes_ SUBMIX_GUARDED_BY(mutex_);         // in order of position
  std::shared_ptr<const Wiring> published_ SUBMIX_GUARDED_BY(mutex_);  // wiring_, for other threads
  std::map<Wiring::Edge, EndedQueues> ended_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<PendingChanges> pending_ SUBMIX_GUARDED_BY(mutex_);  // for each worker
  std::shared_ptr<const Modulation> modulation_ SUBMIX_GUARDED_BY(mutex_);
  bool is_over_ SUBMIX_GUARDED_BY(mutex_) = false;
};

}  // namespace submix::engine
