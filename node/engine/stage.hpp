// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/telemetry/latencies.hpp"
#include "common/telemetry/readings.hpp"
#include "node/engine/frame_maker.hpp"
#include "node/engine/holders.hpp"
#include "node/engine/reorder_buffer.hpp"
#include "node/engine/stage_control.hpp"
#include "node/engine/stage_parts.hpp"
#include "node/engine/tap.hpp"
#include "node/engine/wiring.hpp"
#include "node/engine/worker.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace submix::engine {

/// A running slot: a bounded queue for each input, and one or more workers, each with a plugin
/// instance and a thread, that share the frames.
///
/// This class is the frame loop. control() takes requests while it runs; the plugin and its state
/// stay when the wiring changes.
///
/// Threads  run(): the owner thread. All others: any thread; begin_at() and wait_for() only before
///          run().
class Stage {
 public:
  Stage(StageParts parts, const StageContext& context);

  /// Sets the first frame and the wiring for it.
  void begin_at(std::uint64_t position, Wiring wiring);
  /// Makes the first frame wait until `predecessor`, the former stage of this slot, has ended.
  void wait_for(std::shared_ptr<Stage> predecessor) {
    predecessors_.push_back(std::move(predecessor));
  }
  /// Makes frame after frame, until the stage is retired, or closed and asked to stop.
  void run(const std::stop_token& stop);
  /// Ends all waiting on this stage's queues, for good.
  void close();

  /// Sets parameters. A plugin that acts at once hears of them now, the others before their next
  /// frame.
  void tune(const show::Parameters& values) SUBMIX_EXCLUDES(ending_);
  /// Changes of the running stage.
  [[nodiscard]] StageControl& control() { return control_; }
  [[nodiscard]] const StageControl& control() const { return control_; }

  /// When the longest-running call of a plugin began; empty: no call runs.
  [[nodiscard]] std::optional<LocalTime> in_plugin_since() const;
  /// See plugin::Plugin::demand(). While the stage is a terminal slot.
  [[nodiscard]] std::optional<plugin::Demand> demand() const;
  [[nodiscard]] const Tap& tap() const { return tap_; }
  /// If the plugin keeps a display's time: adds how late the display has shown frames.
  void add_lateness(telemetry::SubmixReading& reading) const SUBMIX_EXCLUDES(ending_);
  [[nodiscard]] telemetry::StageReading reading() const SUBMIX_EXCLUDES(ending_);
  /// The seats of the plugin's own pool; empty: it has no pool.
  [[nodiscard]] std::vector<media::SeatNote> own_seats() const SUBMIX_EXCLUDES(ending_);
  /// This stage's mark on the frames it holds.
  [[nodiscard]] std::uint64_t holder() const { return holder_.mark(); }

  [[nodiscard]] const std::string& slot() const { return slot_; }
  [[nodiscard]] const plugin::Description& description() const { return description_; }
  [[nodiscard]] std::size_t workers() const { return workers_.size(); }
  /// Those of the first instance, with the frames that all instances retain.
  [[nodiscard]] const plugin::PluginTraits& traits() const { return traits_; }

 private:
  void work(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] bool process_frame(Worker& worker, const std::stop_token& stop);

  // Taking a frame.
  [[nodiscard]] bool wait_for_turn(Worker& worker);
  [[nodiscard]] bool take_frame(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] bool gather_inputs(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] bool wait_for_credit(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] std::optional<media::Frame> pop_input(FrameQueue& queue, Worker& worker);
  [[nodiscard]] bool apply_wiring_changes(Worker& worker);
  [[nodiscard]] bool changes_readers(const Wiring& next) const;
  void apply_wiring(std::shared_ptr<const Wiring> next, Worker& worker);
  [[nodiscard]] bool wait_for_show_time(Worker& worker, const std::stop_token& stop);
  void apply_parameters(Worker& worker);
  void apply_parameter_changes(Worker& worker);

  void note_shortage(LocalTime wanted_since) const;
  [[nodiscard]] std::optional<media::Frame> make_frame(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] std::optional<media::Frame> make_paced_frame(Worker& worker,
                                                             const std::stop_token& stop);

  // Delivering a frame.
  void release_inputs(Worker& worker) const;
  [[nodiscard]] bool deliver_in_order(Worker& worker, FinishedFrame finished,
                                      const std::stop_token& stop);
  [[nodiscard]] bool deliver(Worker& worker, FinishedFrame finished, const std::stop_token& stop);
  void note_flight(const FinishedFrame& finished) const;
  void update_tap(const FinishedFrame& finished);
  [[nodiscard]] bool push_to_readers(Worker& worker, const FinishedFrame& finished,
                                     const std::stop_token& stop);

  void release_all() SUBMIX_EXCLUDES(ending_);
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
  std::uint64_t position_ = 0;       // of the next frame
  bool keeps_show_time_ = true;      // at the last frame
  bool is_new_time_keeper_ = false;  // the slot has just begun to keep the show's time

  // Shared by the workers.
  Tap tap_;
  ReorderBuffer order_;
  StageControl control_;
  FrameMaker maker_;
  // computing time for each frame; written by the worker that delivers
  telemetry::Latencies frame_times_;
  std::atomic<std::uint64_t> frames_ = 0;  // relaxed: stands alone
  // keeps the plugins alive for readers of their counters; no frame waits for it
  mutable Mutex ending_;
};

}  // namespace submix::engine
