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
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::plugin {

/// What a stage's owner thread does with its time.
enum class StageState { working, starved, blocked, count };

/// How much of it, and, where there is a trace, when and for which frame. As TimeShares otherwise.
class StageShares : public telemetry::TimeShares<StageState> {
 public:
  StageShares(StageState first, LocalTime now) : TimeShares(first, now) {}

  /// Before the first frame. Null: there is no trace.
  void trace_into(std::shared_ptr<telemetry::TraceRing> ring, LocalTime now) {
    ring_ = std::move(ring);
    if (ring_) begin(state(), now);
  }
  /// What it does from here on it does for frame `number`.
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

/// More than Setup::frames_behind that a stream-in can have out: it stays while slots come behind it, whose
/// taps and outputs hold some of its frames.
inline constexpr std::size_t kFramesForEdits = 4;

/// What a plugin is made with.
struct Setup {
  std::string submix;
  std::string slot;
  Size size;
  FrameRate rate;
  show::Parameters
      parameters;  ///< all that the description names, checked and clamped by the Catalog
  EventSink* events = nullptr;   ///< outlives the plugin
  const Clock* clock = nullptr;  ///< outlives the plugin
  std::size_t frames_behind =
      0;  ///< of this plugin's, held by the patch behind it: room for a pool of its own
  show::Hosting hosting = show::Hosting::in_process;  ///< of a third-party plugin
  bool has_company =
      false;  ///< whoever stops this slot stops another end of its patch, too: a window, say

  /// "left.clip": how events and errors name the slot.
  [[nodiscard]] std::string about() const { return submix + "." + slot; }
};

/// One frame's work.
struct Work {
  std::span<const media::Frame>
      inputs;                        ///< as many as the kind takes; same position in their streams
  media::FrameStamp stamp;           ///< for the output: the first input's, or a source's next
  media::FramePool* pool = nullptr;  ///< where output frames come from
  std::stop_token stop;              ///< asked for: return empty soon (under 100 ms)
  StageShares* shares = nullptr;     ///< see Waiting
  const Clock* clock = nullptr;
  FrameIndex first{};  ///< that this slot makes: later than 0 where it came while the patch ran
  std::uint64_t position = 0;  ///< of this frame in the patch, as its telemetry and traces name it
  bool is_after_pause =
      false;  ///< or within one: the frame before does not say when this one is due
  media::Frame* takeable =
      nullptr;  ///< the first input, for draw_over_input(); null: always a copy

  /// A frame to fill, stamped; waits for a free seat; empty when asked to stop.
  [[nodiscard]] std::optional<media::WritableFrame> acquire_output();

  /// The first input's picture, to draw over a part of: itself where nobody else has it, which is an input no
  /// longer then; else, or where other processes are to see the output but not that, a copy of it, by
  /// acquire_output(). Who takes it publishes it.
  [[nodiscard]] std::optional<media::WritableFrame> draw_over_input();
};

/// Books the time of its scope as `starved` (waits for something to come) or `blocked` (waits until something
/// goes) instead of working: for a plugin that waits itself. Confined (the owner thread).
class Waiting {
 public:
  Waiting(const Work& work, StageState state);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  const Work& work_;
};

/// Who says when an end of a patch takes its next frame: the show's rate; the receivers of a stream, by their
/// credit; a display, by taking the frame before. The first and the last obey pause and step.
enum class Pace { show, receivers, display };

/// How late a display has shown the frames that came at its own pace. They are shown at its refreshes only:
/// one that misses its own is later by a refresh, and all after it are.
struct Lateness {
  telemetry::JitterReading jitter = {};
  std::uint64_t missed_frames = 0;
  std::uint64_t missed_frame = 0;  ///< the last one's position
};

/// A running plugin instance.
///
/// Threads  Confined (the owner thread of its stage), but counters(), lateness(), trouble() and own_seats():
/// any. Errors   Creation fails with a Result. process() never fails: it reports an event and goes on as well
///          as it can (the last good frame, the input passed on).
class Plugin {
 public:
  Plugin() = default;
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;
  virtual ~Plugin() = default;

  /// Makes one frame. Empty only when asked to stop.
  [[nodiscard]] virtual std::optional<media::Frame> process(Work& work) = 0;

  /// A change while running, checked and clamped already; for the next process().
  virtual void set(std::string_view parameter, const show::ParameterValue& value) = 0;

  /// With the pace of a display; no frame is counted with another. Synchronized.
  [[nodiscard]] virtual Lateness lateness() const { return {}; }

  /// Frames this plugin holds on to after process() returned (a "last shown", a stream's unacknowledged
  /// ones); its own pool and those in front of it are made larger by as many. Constant.
  [[nodiscard]] virtual std::size_t frames_retained() const { return 0; }

  /// Of a pool of its own that does not grow: how many of its frames the slots behind may keep; empty: there
  /// is none. Constant.
  [[nodiscard]] virtual std::optional<std::size_t> frames_lent() const { return std::nullopt; }

  /// Whether anybody gets what an output takes. One that is not connected keeps the patch's time only where
  /// no other end is. Constant.
  [[nodiscard]] virtual bool is_connected() const { return true; }

  /// Of a slot that nobody reads. Asked before each frame.
  [[nodiscard]] virtual Pace pace() const { return Pace::show; }

  /// Whether other processes may read its inputs where they are: the pools in front of it lie in shared
  /// memory. Constant.
  [[nodiscard]] virtual bool shows_inputs() const { return false; }

  /// Whether another process fills its outputs: its own pool lies in shared memory. Constant.
  [[nodiscard]] virtual bool shares_outputs() const { return false; }

  /// Before its stage begins, on the thread that made it: waits until its first frame costs no wait for a
  /// start, at most until `deadline`.
  virtual void wait_until_ready(std::chrono::steady_clock::time_point /*deadline*/) {}

  /// The slot's bypass was lifted: a plugin that had given up tries again.
  virtual void try_again() {}

  /// Why the plugin does not work although its slot is not bypassed, and the remedy; empty: it works.
  /// Synchronized.
  [[nodiscard]] virtual std::string trouble() const { return {}; }

  /// Of a pool of its own that its frames come from, in place of its slot's: how the seats are used; empty:
  /// there is none. Synchronized.
  [[nodiscard]] virtual std::vector<media::SeatNote> own_seats() const { return {}; }

  /// The plugin's own counts, for telemetry. Synchronized.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::uint64_t>> counters() const {
    return {};
  }
};

}  // namespace submix::plugin
