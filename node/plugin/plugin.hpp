// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/media/frame_pool.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/readings.hpp"
#include "common/telemetry/time_shares.hpp"
#include "common/telemetry/trace_ring.hpp"
#include "node/plugin/description.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::plugin {

/// How a stage's owner thread spends its time.
enum class StageState { working, starved, blocked, count };

/// The owner thread's time by state. With a trace, also when each state began and for which frame.
/// Otherwise like TimeShares.
class StageShares : public telemetry::TimeShares<StageState> {
 public:
  StageShares(StageState first, LocalTime now) : TimeShares(first, now) {}

  /// Call before the first frame. Null: there is no trace.
  void trace_into(std::shared_ptr<telemetry::TraceRing> ring, LocalTime now) {
    ring_ = std::move(ring);
    if (ring_) begin(state(), now);
  }
  /// From now on the thread's time counts for frame `number`.
  void begin_frame(std::uint64_t number, LocalTime now) {
    frame_ = number;
    go_on(state(), now);
  }
  void enter(StageState next, LocalTime now) {
    TimeShares::enter(next, now);
    go_on(next, now);
  }

 private:
  void go_on(StageState next, LocalTime now) {
    if (!ring_) return;
    ring_->end(now);
    begin(next, now);
  }
  void begin(StageState state, LocalTime now) {
    ring_->begin(
        {now, telemetry::TraceSpan::kUnfinished, frame_, static_cast<telemetry::TraceKind>(state)});
  }

  std::shared_ptr<telemetry::TraceRing> ring_;
  std::uint64_t frame_ = 0;  // the writer's
};

/// Extra frames, beyond Setup::frames_behind, that a stream-in can have out. The slot stays while
/// edits add slots behind it, whose taps and outputs hold some of its frames.
inline constexpr std::size_t kFramesForEdits = 4;

/// The values from which a plugin is made.
struct Setup {
  std::string submix;
  std::string slot;
  Size size;
  FrameRate rate;
  /// Every parameter of the description, checked and clamped by the Catalog.
  show::Parameters parameters;
  EventSink* events = nullptr;   ///< outlives the plugin
  const Clock* clock = nullptr;  ///< outlives the plugin
  /// Frames of this plugin held by the patch behind it. A plugin with its own pool needs room
  /// for them.
  std::size_t frames_behind = 0;
  /// A plugin in another process reads its frames: a pool of its own should be shared memory.
  bool is_output_shown = false;
  show::Hosting hosting = show::Hosting::in_process;  ///< of a third-party plugin
  /// The slot is bypassed: the plugin's file may be missing until Plugin::try_again().
  bool is_bypassed = false;
  /// A clock decides when frames are due: a frame in time counts more than the right picture. False:
  /// the patch runs as fast as it can, and each frame waits for its picture.
  bool is_paced = false;
  /// The patch makes a film: it waits for each picture as long as the picture is being worked on,
  /// however slow the machine is.
  bool is_rendering = false;
  /// Stopping this slot also stops another end of its patch, such as a window.
  bool has_other_ends = false;
  /// To be called, on any thread, when Plugin::demand() may have grown. Empty: nobody listens.
  std::function<void()> demand_grew = {};

  /// "left.clip": the slot's name in events and errors.
  [[nodiscard]] std::string about() const { return submix + "." + slot; }
};

/// The work of one frame.
struct Work {
  /// As many as the plugin's kind takes, all at the same position in their streams.
  std::span<const media::Frame> inputs;
  media::FrameStamp stamp;           ///< for the output: the first input's, or a source's next
  media::FramePool* pool = nullptr;  ///< where output frames come from
  std::stop_token stop;              ///< when requested: return empty soon (under 100 ms)
  StageShares* shares = nullptr;     ///< see Waiting
  const Clock* clock = nullptr;
  FrameIndex first{};  ///< first frame of this slot; above 0 if the slot came while the patch ran
  std::uint64_t position = 0;  ///< of this frame in the patch, as in telemetry and traces
  /// After or within a pause: the previous frame does not tell when this frame is due.
  bool is_after_pause = false;
  /// The first input, for draw_over_input(). Null: always copy.
  media::Frame* takeable = nullptr;

  /// A stamped frame to fill. Waits for a free seat; empty when asked to stop.
  [[nodiscard]] std::optional<media::WritableFrame> acquire_output();

  /// The first input's picture, for drawing over a part of it. The caller publishes the result.
  ///
  /// If nobody else has the input, the result is the input itself, and the input is gone. Otherwise
  /// the result is a copy in a frame of acquire_output(). It is also a copy if other processes must
  /// see the output but cannot see the input.
  [[nodiscard]] std::optional<media::WritableFrame> draw_over_input();
};

/// Counts the time of its scope as `starved` (waits for input) or `blocked` (waits for room), not
/// as working. For a plugin that waits by itself. Confined (the owner thread).
class Waiting {
 public:
  Waiting(const Work& work, StageState state);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  const Work& work_;
};

/// For a plugin that hands its frames to other threads. A woken thread may take this thread's core.
/// When the scope ends, its time in which this thread did not run is counted as `state`, not as
/// working. No Waiting may be inside. Confined (the owner thread).
class HandOver {
 public:
  HandOver(const Work& work, StageState state);
  ~HandOver();
  HandOver(const HandOver&) = delete;
  HandOver& operator=(const HandOver&) = delete;

 private:
  const Work& work_;
  const StageState state_;
  const LocalTime begin_;
  const std::chrono::nanoseconds ran_before_;
};

/// What decides when an end of a patch takes its next frame: the show's rate; the receivers of a
/// stream, by their credit; a display, by taking the previous frame. `show` and `display` obey
/// pause and step.
enum class Pace { show, receivers, display };

/// The show's beat at a frame, and how many beats a frame lasts at the present tempo.
struct Beat {
  double count = 0;
  double per_frame = 0;
};

/// The frames that the receivers of an end of a patch would take at once.
struct Demand {
  std::uint64_t frames = 0;
  bool is_all = false;  ///< the greatest demand: no frame is on its way
};

/// How late a display showed the frames that came at its own pace. A display shows frames at its
/// refreshes only: a frame that misses its refresh delays all later frames by one refresh.
struct Lateness {
  telemetry::JitterReading jitter = {};
  std::uint64_t missed_frames = 0;
  std::uint64_t missed_frame = 0;  ///< position of the last missed frame
};

/// The constant properties of a plugin instance, for the pools and the pace of its patch.
struct PluginTraits {
  /// Frames that the plugin holds after process() has returned, such as the last frame shown or a
  /// stream's unacknowledged frames. Its own pool and the pools in front of it grow by this number.
  std::size_t frames_retained = 0;

  /// For a plugin with a fixed pool of its own: frames of the pool that the slots behind may keep.
  /// Empty: no pool of its own.
  std::optional<std::size_t> frames_lent = {};

  /// True if an output's frames reach a receiver. An unconnected output sets the patch's pace only
  /// if the patch has no other end.
  bool is_connected = true;

  /// True if other processes may read its inputs in place. The pools in front of it then lie in
  /// shared memory.
  bool shows_inputs = false;

  /// True if another process fills its outputs. Its own pool then lies in shared memory.
  bool shares_outputs = false;
};

/// A running plugin instance. node/plugin/README.md shows a small one.
///
/// A stage reads its traits(), calls wait_until_ready() and then process()
/// once for each frame. Between frames it calls set() for changed parameters.
///
/// Threads  Confined (the owner thread of its stage). counters(), lateness(), trouble(),
///          demand() and own_seats(): any.
/// Errors   Creation fails with a Result. process() never fails: it reports an event and goes on as
///          well as it can (repeats the last good frame, or passes the input on).
class Plugin {
 public:
  Plugin() = default;
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;
  virtual ~Plugin() = default;

  /// Makes one frame. Empty only when asked to stop.
  [[nodiscard]] virtual std::optional<media::Frame> process(Work& work) = 0;

  /// Changes a parameter while running. The value is already checked and clamped. It applies to the
  /// next process().
  virtual void set(std::string_view parameter, const show::ParameterValue& value) = 0;

  /// Before each process(), for a plugin whose description `follows_beats`: the beat at its frame.
  /// A plugin that is never told runs without an engine, and has no beat.
  virtual void tell_beat(const Beat& /*beat*/) {}

  /// For a plugin with a display's pace. Each frame is counted once. Synchronized.
  [[nodiscard]] virtual Lateness lateness() const { return {}; }

  /// The instance's constant properties. A stage reads them once, before the first frame.
  [[nodiscard]] virtual PluginTraits traits() const { return {}; }

  /// For a slot that no other slot reads. Asked before each frame.
  [[nodiscard]] virtual Pace pace() const { return Pace::show; }

  /// For a slot whose pace is its receivers'. The patch starts no more frames than they would take,
  /// since a frame that waits for its receivers only grows old. Empty: the slot always takes a
  /// frame. Synchronized.
  [[nodiscard]] virtual std::optional<Demand> demand() const { return std::nullopt; }

  /// Waits until the plugin is ready for its first frame, at most until `deadline`. Called before
  /// the stage begins, on the thread that made the plugin.
  virtual void wait_until_ready(std::chrono::steady_clock::time_point /*deadline*/) {}

  /// The slot's bypass was lifted: a plugin that had given up tries again.
  virtual void try_again() {}

  /// Why the plugin does not work although its slot is not bypassed, and the remedy. Empty: it
  /// works. Synchronized.
  [[nodiscard]] virtual std::string trouble() const { return {}; }

  /// For a plugin whose frames come from a pool of its own in place of its slot's: how the seats
  /// are used. Empty: no pool of its own. Synchronized.
  [[nodiscard]] virtual std::vector<media::SeatNote> own_seats() const { return {}; }

  /// The plugin's own counts, for telemetry. Synchronized.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::uint64_t>> counters() const {
    return {};
  }
};

}  // namespace submix::plugin
