// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/base/units.hpp"
#include "common/telemetry/jitter.hpp"
#include "node/engine/transport.hpp"
#include "node/plugin/plugin.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>

namespace submix::engine {

/// Says when each frame is due. The deadlines are absolute, so rounding errors never add up.
///
/// A frame that is late by more than a period moves all later deadlines: the rate drops and no
/// burst follows. After a smaller delay the next frames catch up. Compatible.
class Timetable {
 public:
  explicit Timetable(FrameRate rate) : rate_(rate) {}

  /// How late `position` would be at `now`; negative: early. Empty: this frame would set the first
  /// deadline.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> delay(std::uint64_t position,
                                                              LocalTime now) const;
  /// The deadline of `position`, where `now` is the earliest time at which it could be shown.
  [[nodiscard]] LocalTime due(std::uint64_t position, LocalTime now);
  /// After a pause: the next frame is due at once.
  void restart() { start_.reset(); }
  /// How often a late frame has moved the deadlines.
  [[nodiscard]] std::uint64_t moves() const { return moves_; }

 private:
  struct Start {
    std::uint64_t position;
    LocalTime time;
  };
  FrameRate rate_;
  std::optional<Start> start_;
  std::uint64_t moves_ = 0;
};

/// How late a frame may be before it counts as missed: the time to wake a thread on a busy machine,
/// at most a quarter of a frame period.
[[nodiscard]] std::chrono::nanoseconds miss_tolerance(FrameRate rate);

/// The clock of a patch. It lets frames 0, 1, 2, … through the paced slots, each at its deadline,
/// and obeys the transport. The first slot that asks for a frame waits; the other slots then pass
/// at once.
///
/// Threads  Synchronized.
/// Cost     Waits only for a frame's deadline, a pause or a step; allocates nothing.
class Governor {
 public:
  /// Without a rate no frame waits for a deadline; pause and step still work.
  Governor(std::optional<FrameRate> rate, const Transport& transport, const Clock& clock);

  struct Passage {
    bool may_pass = false;  ///< false: a stop was requested
    /// How long before its deadline the frame came; negative: after it. Empty: the frame had no
    /// deadline, or another slot has asked before.
    std::optional<std::chrono::nanoseconds> spare = {};
  };
  /// Waits until frame `position` may pass. A slot whose pace is not the show's waits only in a
  /// pause.
  [[nodiscard]] Passage pass(std::uint64_t position, const std::stop_token& stop,
                             plugin::Pace pace = plugin::Pace::show);

  /// Makes the next frame due at once, after frames have passed without asking.
  void restart() SUBMIX_EXCLUDES(mutex_);

  [[nodiscard]] bool is_paused() const { return transport_.state().is_paused; }
  [[nodiscard]] Transport::State transport() const { return transport_.state(); }
  /// How many late frames have moved the deadlines, and the number of the newest.
  [[nodiscard]] std::uint64_t late_frames() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::uint64_t late_frame() const SUBMIX_EXCLUDES(mutex_);
  /// How many frames passed later than miss_tolerance() allows, and the number of the newest.
  [[nodiscard]] std::uint64_t missed_frames() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::uint64_t missed_frame() const SUBMIX_EXCLUDES(mutex_);
  /// The difference between each frame's passing and its deadline. Frames that set a deadline are
  /// not counted.
  [[nodiscard]] telemetry::JitterReading jitter() const { return jitter_.reading(); }

  /// The answer to a slot: pass now, or ask again at a time or after a change of the transport.
  struct Answer {
    bool may_pass = false;
    std::optional<LocalTime> ask_again = {};
    std::optional<std::chrono::nanoseconds> spare = {};  ///< as in Passage
  };
  [[nodiscard]] Answer ask(std::uint64_t position, const Transport::State& state, LocalTime now,
                           plugin::Pace pace = plugin::Pace::show) SUBMIX_EXCLUDES(mutex_);

 private:
  [[nodiscard]] bool take_step(const Transport::State& state) SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] Answer meet_deadline(std::uint64_t position, const Transport::State& state,
                                     LocalTime now) SUBMIX_REQUIRES(mutex_);
  void count_delay(std::uint64_t position, std::chrono::nanoseconds delay) SUBMIX_REQUIRES(mutex_);

  const Transport& transport_;
  const Clock& clock_;
  mutable Mutex mutex_;
  std::optional<Timetable> timetable_ SUBMIX_GUARDED_BY(mutex_);
  // the transport as seen last; `steps`: steps already taken within this pause
  Transport::State seen_ SUBMIX_GUARDED_BY(mutex_);
  std::uint64_t admitted_ SUBMIX_GUARDED_BY(mutex_) = 0;  // frames let through so far
  std::uint64_t late_frame_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::uint64_t missed_frames_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::uint64_t missed_frame_ SUBMIX_GUARDED_BY(mutex_) = 0;
  const std::chrono::nanoseconds tolerance_;
  telemetry::Jitter jitter_;  // written under the lock
};

}  // namespace submix::engine
