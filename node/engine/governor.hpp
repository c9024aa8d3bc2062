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

/// When frames are due: absolute deadlines, so that no error adds up.
///
/// A frame that is late by more than one period moves the whole timetable: the rate becomes lower, and no
/// burst follows. A smaller delay is made up for. Compatible.
class Timetable {
 public:
  explicit Timetable(FrameRate rate) : rate_(rate) {}

  /// By how much `position` would miss its deadline at `now`, negative: it is early. Empty: it would set the
  /// time.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> delay(std::uint64_t position,
                                                              LocalTime now) const;
  /// When `position` is due, given that it could be shown at `now`.
  [[nodiscard]] LocalTime due(std::uint64_t position, LocalTime now);
  /// The next frame is due at once: after a pause.
  void restart() { start_.reset(); }
  /// How often a late frame has moved the timetable.
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

/// By how much a frame may pass its deadline before it has missed it: what it takes to wake a thread up on a
/// machine with other work, and never more than a quarter of a frame's time.
[[nodiscard]] std::chrono::nanoseconds miss_tolerance(FrameRate rate);

/// The clock of a patch: lets frame 0, 1, 2, … through the paced slots, each when it is due, and obeys the
/// transport. The first slot to ask for a frame waits for it; the others then pass at once.
///
/// Threads  Synchronized.
/// Cost     No wait but for the frame's time, a pause or a step; no allocation.
class Governor {
 public:
  /// Without a rate frames are never waited for; pause and step work all the same.
  Governor(std::optional<FrameRate> rate, const Transport& transport, const Clock& clock);

  /// Waits until frame `position` may pass; with another pace than the show's only while paused. False: a
  /// stop was asked for.
  [[nodiscard]] bool pass(std::uint64_t position, const std::stop_token& stop,
                          plugin::Pace pace = plugin::Pace::show);

  /// The next frame is due at once: frames have passed that did not ask.
  void restart() SUBMIX_EXCLUDES(mutex_);

  [[nodiscard]] bool is_paused() const { return transport_.state().is_paused; }
  [[nodiscard]] Transport::State transport() const { return transport_.state(); }
  /// How often a late frame has lowered the rate, and the last one that did.
  [[nodiscard]] std::uint64_t late_frames() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::uint64_t late_frame() const SUBMIX_EXCLUDES(mutex_);
  /// How many frames passed after their deadlines, by more than miss_tolerance(), and the last one that did.
  [[nodiscard]] std::uint64_t missed_frames() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::uint64_t missed_frame() const SUBMIX_EXCLUDES(mutex_);
  /// When frames really passed, against their deadlines; those that set the time are left out.
  [[nodiscard]] telemetry::JitterReading jitter() const { return jitter_.reading(); }

  /// What a slot that asks for a frame is told: pass, or ask again at a time or when the transport changes.
  struct Answer {
    bool may_pass = false;
    std::optional<LocalTime> ask_again;
  };
  [[nodiscard]] Answer ask(std::uint64_t position, const Transport::State& state, LocalTime now,
                           plugin::Pace pace = plugin::Pace::show) SUBMIX_EXCLUDES(mutex_);

 private:
  [[nodiscard]] bool take_step(const Transport::State& state) SUBMIX_REQUIRES(mutex_);

  const Transport& transport_;
  const Clock& clock_;
  mutable Mutex mutex_;
  std::optional<Timetable> timetable_ SUBMIX_GUARDED_BY(mutex_);
  Transport::State seen_ SUBMIX_GUARDED_BY(mutex_);       // its steps: taken within its pause
  std::uint64_t admitted_ SUBMIX_GUARDED_BY(mutex_) = 0;  // frames that have been let through
  std::uint64_t late_frame_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::uint64_t missed_frames_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::uint64_t missed_frame_ SUBMIX_GUARDED_BY(mutex_) = 0;
  const std::chrono::nanoseconds tolerance_;
  telemetry::Jitter jitter_;  // written under the lock
};

}  // namespace submix::engine
