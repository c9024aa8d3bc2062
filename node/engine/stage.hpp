// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/telemetry/readings.hpp"
#include "node/engine/credits.hpp"
#include "node/engine/governor.hpp"
#include "node/engine/tap.hpp"
#include "node/engine/wiring.hpp"
#include "node/plugin/plugin.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::engine {

/// What the stages of one patch share; outlives them.
struct StageContext {
  std::string submix;
  FrameRate rate;
  std::uint64_t epoch = 0;
  Credits& credits;
  Governor& governor;
  EventSink& events;
  const Clock& clock;
};

/// What makes a stage this one, for its life.
struct StageParts {
  std::string slot;
  const plugin::Description* description = nullptr;
  std::unique_ptr<plugin::Plugin> plugin;
  bool is_bypassed = false;
};

/// A slot that runs: one plugin instance, one owner thread, one bounded queue for each input.
///
/// While it runs its wiring changes at the frame boundaries that rewire() and retire() name; the plugin and
/// what it remembers stay.
///
/// Threads  run(): its owner thread. All else: any thread; replace() and the first rewire() before run()
/// only.
class Stage {
 public:
  Stage(StageParts parts, const StageContext& context);

  /// Its first frame and how it is wired then.
  void begin_at(std::uint64_t position, Wiring wiring) SUBMIX_EXCLUDES(mutex_);
  /// Its first frame waits until this one, whose place it takes, has ended.
  void wait_for(std::shared_ptr<Stage> predecessor) { predecessors_.push_back(std::move(predecessor)); }
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

  void set_parameter(std::string name, show::ParameterValue value) SUBMIX_EXCLUDES(mutex_);
  /// To lift it lets a plugin that has given up try again.
  void set_bypassed(bool is_bypassed);
  /// Since when its plugin has been at work on one frame; empty: it is not.
  [[nodiscard]] std::optional<LocalTime> in_plugin_since() const;
  [[nodiscard]] media::Frame latest_frame() const { return tap_.latest(); }
  [[nodiscard]] telemetry::StageReading reading() const SUBMIX_EXCLUDES(mutex_);

  [[nodiscard]] const std::string& slot() const { return parts_.slot; }
  [[nodiscard]] const plugin::Description& description() const { return *parts_.description; }
  [[nodiscard]] std::size_t frames_retained() const { return frames_retained_; }
  [[nodiscard]] bool shows_inputs() const { return shows_inputs_; }
  [[nodiscard]] bool shares_outputs() const { return shares_outputs_; }

 private:
  /// What happens before a frame. No wiring: the end.
  struct Change {
    std::uint64_t position;
    std::shared_ptr<const Wiring> wiring;
  };

  [[nodiscard]] bool do_frame(const std::stop_token& stop);
  [[nodiscard]] bool take_over_changes() SUBMIX_EXCLUDES(mutex_);
  void take_over(std::shared_ptr<const Wiring> next) SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] bool wait_for_change() SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool gather(const std::stop_token& stop);
  [[nodiscard]] bool start_source(const std::stop_token& stop);
  [[nodiscard]] std::optional<media::Frame> pop(FrameQueue& queue);
  [[nodiscard]] bool wait_for_turn(const std::stop_token& stop);
  void take_over_parameters() SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] plugin::Work next_work(const std::stop_token& stop);
  [[nodiscard]] std::optional<media::Frame> make_frame(const std::stop_token& stop);
  [[nodiscard]] std::optional<media::Frame> repeat(plugin::Work& work);
  [[nodiscard]] std::optional<media::Frame> pass_by(plugin::Work& work);
  [[nodiscard]] bool hand_on(const media::Frame& frame, const std::stop_token& stop);
  void let_go() SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool is_retiring() const { return is_retiring_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool is_hurried(const std::stop_token& stop) const {
    return is_retiring() && stop.stop_requested();
  }
  void enter(plugin::StageState state) { shares_.enter(state, context_.clock.now()); }

  // Constant.
  const StageContext& context_;
  StageParts parts_;  // the plugin is the owner thread's, but for its counters
  const std::size_t frames_retained_;
  const bool shows_inputs_;
  const bool shares_outputs_;
  std::vector<std::shared_ptr<Stage>> predecessors_;  // the owner thread's once it runs

  // The owner thread's.
  std::shared_ptr<const Wiring> wiring_;
  std::vector<media::Frame> gathered_;
  std::uint64_t first_ = 0;
  std::uint64_t position_ = 0;  // of the next frame
  bool has_complained_ = false;
  bool was_paced_ = false;   // by the plugin, at the last frame
  bool is_new_end_ = false;  // it has just become a terminal slot

  // Shared.
  Tap tap_;
  plugin::StageShares shares_;
  std::atomic<std::uint64_t> frames_ = 0;      // relaxed: stands alone
  std::atomic<bool> is_bypassed_;              // relaxed: stands alone
  std::stop_source closed_;                    // by close()
  std::atomic<bool> is_retiring_ = false;      // a hint; one of its changes says when
  std::atomic<LocalTime::rep> in_plugin_ = 0;  // since when; 0: it is not. Relaxed: stands alone
  std::atomic<bool> tries_again_ = false;      // relaxed: stands alone
  std::atomic<bool> has_pending_ = false;      // a hint that spares the lock
  mutable Mutex mutex_;
  mutable Condition changed_;
  std::deque<Change> changes_ SUBMIX_GUARDED_BY(mutex_);               // in order of their positions
  std::shared_ptr<const Wiring> published_ SUBMIX_GUARDED_BY(mutex_);  // wiring_, for others
  show::Parameters pending_ SUBMIX_GUARDED_BY(mutex_);
  bool is_over_ SUBMIX_GUARDED_BY(mutex_) = false;
};

}  // namespace submix::engine
