// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/bounded_queue.hpp"
#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/media/frame_pool.hpp"
#include "common/telemetry/readings.hpp"
#include "node/engine/credits.hpp"
#include "node/engine/governor.hpp"
#include "node/engine/tap.hpp"
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

using FrameQueue = BoundedQueue<media::Frame>;

/// What the stages of one patch share; outlives them.
struct StageContext {
  std::string submix;
  FrameRate rate;
  std::uint64_t epoch = 0;
  std::size_t queue_capacity = 0;
  Credits& credits;
  Governor& governor;
  EventSink& events;
  const Clock& clock;
};

/// What makes a stage this one.
struct StageParts {
  std::string slot;
  const plugin::Description* description = nullptr;
  std::unique_ptr<plugin::Plugin> plugin;
  std::optional<media::FramePool> pool;  ///< none where the output is always the input
  std::optional<std::size_t> terminal;   ///< its number among the terminal slots
  bool is_bypassed = false;
};

/// A slot that runs: one plugin instance, one owner thread, one bounded queue for each input.
///
/// Threads  run(): its owner thread. All else: any thread; connect() and feed names before run() only.
class Stage {
 public:
  Stage(StageParts parts, const StageContext& context);

  /// `reader` gets every frame, in its input number `input`.
  void connect(Stage& reader, std::size_t input) { readers_.push_back(&reader.inputs_[input].queue); }
  void name_input(std::size_t input, std::string from) { inputs_[input].from = std::move(from); }

  /// Makes frame after frame until a stop is asked for and close() was called.
  void run(const std::stop_token& stop);
  /// Wakes whoever waits on this stage's queues, for good.
  void close();

  void set_parameter(std::string name, show::ParameterValue value) SUBMIX_EXCLUDES(pending_mutex_);
  /// To lift it lets a plugin that has given up try again.
  void set_bypassed(bool is_bypassed);
  [[nodiscard]] media::Frame latest_frame() const { return tap_.latest(); }
  [[nodiscard]] telemetry::StageReading reading() const;

  [[nodiscard]] const std::string& slot() const { return parts_.slot; }
  [[nodiscard]] const plugin::Description& description() const { return *parts_.description; }

 private:
  struct Input {
    explicit Input(std::size_t capacity) : queue(capacity) {}
    std::string from;
    FrameQueue queue;
  };

  [[nodiscard]] bool gather(const std::stop_token& stop);
  [[nodiscard]] bool wait_for_turn(const std::stop_token& stop);
  void take_over_parameters() SUBMIX_EXCLUDES(pending_mutex_);
  [[nodiscard]] plugin::Work next_work(const std::stop_token& stop);
  [[nodiscard]] std::optional<media::Frame> make_frame(const std::stop_token& stop);
  [[nodiscard]] std::optional<media::Frame> pass_by(plugin::Work& work);
  [[nodiscard]] bool hand_on(const media::Frame& frame);
  void enter(plugin::StageState state) { shares_.enter(state, context_.clock.now()); }

  // Constant once connected.
  const StageContext& context_;
  StageParts parts_;  // the plugin and the pool are the owner thread's
  std::deque<Input> inputs_;
  std::vector<FrameQueue*> readers_;

  // The owner thread's.
  std::vector<media::Frame> gathered_;
  std::uint64_t position_ = 0;  // of the next frame
  bool has_complained_ = false;
  bool was_paced_ = false;  // by the plugin, at the last frame

  // Shared.
  Tap tap_;
  plugin::StageShares shares_;
  std::atomic<std::uint64_t> frames_ = 0;  // relaxed: stands alone
  std::atomic<bool> is_bypassed_;          // relaxed: stands alone
  std::atomic<bool> tries_again_ = false;  // relaxed: stands alone
  std::atomic<bool> has_pending_ = false;  // a hint that spares the lock
  Mutex pending_mutex_;
  show::Parameters pending_ SUBMIX_GUARDED_BY(pending_mutex_);
};

}  // namespace submix::engine
