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

/// A slot that runs: one bounded queue for each input, and one plugin instance with its owner thread, or
/// several of both that share the frames (workers).
///
/// While it runs its wiring changes at the frame boundaries that rewire() and retire() name; the plugin and
/// what it remembers stay.
///
/// Threads  run(): its owner thread. All else: any thread; begin_at() and wait_for() before run() only.
class Stage {
 public:
  Stage(StageParts parts, const StageContext& context);

  /// Its first frame and how it is wired then.
  void begin_at(std::uint64_t position, Wiring wiring) SUBMIX_EXCLUDES(mutex_);
  /// Its first frame waits until this one, whose place it takes, has ended.
  void wait_for(std::shared_ptr<Stage> predecessor) {
    predecessors_.push_back(std::move(predecessor));
  }
  /// From frame `position` on, which no source may have begun.
  void rewire(std::uint64_t position, Wiring wiring) SUBMIX_EXCLUDES(mutex_);
  /// It ends before frame `position`, on the same condition, and lets go of what it holds. Once its thread is
  /// also asked to stop, it does not wait for its plugin: the frames up to there are its input, or its last
  /// one again.
  void retire(std::uint64_t position) SUBMIX_EXCLUDES(mutex_);

  /// Makes frame after frame until a stop is asked for and close() was called, or it is retired.
  void run(const std::stop_token& stop);
  /// Wakes whoever waits on this stage's queues, for good.
  void close() SUBMIX_EXCLUDES(mutex_);
  /// Waits until run() has ended; whether it has.
  bool wait_until_over(LocalTime deadline) const SUBMIX_EXCLUDES(mutex_);
  void wait_until_over(const std::stop_token& stop) const SUBMIX_EXCLUDES(mutex_);

  /// All of it holds from the same frame on: the next one that it takes.
  void tune(const show::Parameters& values) SUBMIX_EXCLUDES(mutex_);
  /// From frame `position` on, which no source may have begun, `modulation` moves its parameters (null: none
  /// move), and those that do so no more have their `settled` values.
  void move(std::uint64_t position, std::shared_ptr<const Modulation> modulation,
            const show::Parameters& settled = {}) SUBMIX_EXCLUDES(mutex_);
  /// What move() was told last.
  [[nodiscard]] std::shared_ptr<const Modulation> modulation() const SUBMIX_EXCLUDES(mutex_);
  /// To lift it lets a plugin that has given up try again.
  void set_bypassed(bool is_bypassed);
  /// Since when a plugin of it has been at work on one frame; empty: none is.
  [[nodiscard]] std::optional<LocalTime> in_plugin_since() const;
  [[nodiscard]] const Tap& tap() const { return tap_; }
  /// Adds how late its display has shown frames, if it keeps a display's time.
  void add_lateness(telemetry::SubmixReading& reading) const SUBMIX_EXCLUDES(ending_);
  [[nodiscard]] telemetry::StageReading reading() const SUBMIX_EXCLUDES(mutex_);
  /// Of its plugin's own pool; empty: there is none.
  [[nodiscard]] std::vector<media::SeatNote> own_seats() const;
  /// How it is wired now.
  [[nodiscard]] std::shared_ptr<const Wiring> wiring() const SUBMIX_EXCLUDES(mutex_);
  /// Its mark on frames in its hold.
  [[nodiscard]] std::uint64_t holder() const { return holder_.mark(); }

  [[nodiscard]] const std::string& slot() const { return slot_; }
  [[nodiscard]] const plugin::Description& description() const { return description_; }
  [[nodiscard]] std::size_t workers() const { return workers_.size(); }
  /// As StageParts::traits().
  [[nodiscard]] const plugin::PluginTraits& traits() const { return traits_; }

 private:
  /// What happens before a frame. No wiring: the end.
  struct Change {
    std::uint64_t position;
    std::shared_ptr<const Wiring> wiring;
  };

  /// What moves from a frame on.
  struct Motion {
    std::uint64_t position;
    std::shared_ptr<const Modulation> modulation;
    show::Parameters settled;
  };
  /// What a worker has yet to take over.
  struct Pending {
    show::Parameters values;     // with its next frame
    std::deque<Motion> motions;  // each with its own, in their order
  };

  /// What went through queues of one input that have ended.
  struct EndedQueues {
    std::uint64_t put = 0;
    std::uint64_t taken = 0;
  };

  static constexpr auto kNever = std::numeric_limits<std::uint64_t>::max();

  void add_change(std::uint64_t position, std::shared_ptr<const Wiring> wiring)
      SUBMIX_EXCLUDES(mutex_);
  void work(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] bool do_frame(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] bool begin_turn(Worker& worker);
  [[nodiscard]] bool take_frame(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] bool take_over_changes(Worker& worker) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool concerns_readers(const Wiring& next) const;
  void take_over(std::shared_ptr<const Wiring> next, Worker& worker) SUBMIX_REQUIRES(mutex_);
  void count_ended(const Wiring& next) SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] bool wait_for_change() SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool gather(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] bool start_source(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] std::optional<media::Frame> pop(FrameQueue& queue, Worker& worker);
  [[nodiscard]] bool wait_for_time(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] bool is_after_pause();
  void take_over_parameters(Worker& worker) SUBMIX_EXCLUDES(mutex_);
  void take_over_pending(Worker& worker) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] plugin::Work next_work(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] std::optional<media::Frame> make_frame(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] std::optional<media::Frame> repeat(plugin::Work& work);
  [[nodiscard]] std::optional<media::Frame> pass_by(plugin::Work& work);
  [[nodiscard]] bool deliver_in_order(Worker& worker, Finished finished,
                                      const std::stop_token& stop);
  [[nodiscard]] bool deliver(Worker& worker, Finished finished, const std::stop_token& stop);
  void show_tap(const Finished& finished);
  [[nodiscard]] bool give_to_readers(Worker& worker, const Finished& finished,
                                     const std::stop_token& stop);
  void let_go() SUBMIX_EXCLUDES(mutex_);
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

  // The worker's whose turn it is to take a frame.
  std::shared_ptr<const Wiring> wiring_;
  std::uint64_t first_ = 0;
  std::uint64_t position_ = 0;       // of the next frame
  bool keeps_show_time_ = true;      // at the last frame
  Transport::State transport_seen_;  // at the last frame with a display's pace
  bool is_new_end_ = false;          // it has just become a terminal slot

  // Shared.
  Tap tap_;
  ReorderBuffer order_;
  telemetry::Latencies frame_times_;  // what the plugin computed on one frame; by whose turn it is
  std::atomic<std::uint64_t> frames_ = 0;            // relaxed: stands alone
  std::atomic<std::uint64_t> frames_passed_by_ = 0;  // relaxed: stands alone
  std::atomic<bool> is_bypassed_;                    // relaxed: stands alone
  std::atomic<bool> has_complained_ = false;         // relaxed: stands alone
  std::stop_source closed_;                          // by close()
  std::atomic<bool> is_retiring_ = false;            // a hint; one of its changes says when
  std::atomic<std::uint64_t> next_change_ =
      kNever;  // the first one's position; by whoever holds mutex_
  mutable Mutex
      ending_;  // of the plugins: whoever reads their counters keeps them alive, and no frame waiting
  mutable Mutex mutex_;
  mutable Condition changed_;
  std::deque<Change> changes_ SUBMIX_GUARDED_BY(mutex_);  // in order of their positions
  std::shared_ptr<const Wiring> published_ SUBMIX_GUARDED_BY(mutex_);  // wiring_, for others
  std::map<Wiring::Edge, EndedQueues> ended_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<Pending> pending_ SUBMIX_GUARDED_BY(mutex_);  // of each worker
  std::shared_ptr<const Modulation> modulation_ SUBMIX_GUARDED_BY(mutex_);
  bool is_over_ SUBMIX_GUARDED_BY(mutex_) = false;
};

}  // namespace submix::engine
