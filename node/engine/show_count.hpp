// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/base/units.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace submix::engine {

/// The show's time at a moment of this machine's clock: nanoseconds of the cluster's clock since
/// 1970. Empty: not known yet. Called by any thread.
using ShowTime = std::function<std::optional<std::chrono::nanoseconds>(LocalTime)>;

/// Numbers the frames of a patch as the whole show numbers them: frame n begins n periods after the
/// zero of the show's time. Equal numbers on two nodes are the same frame of the show.
///
/// The first slot that takes a frame settles its number, so all slots agree. Numbers rise by one.
/// They jump when the ends of the patch show frames at other times than the numbers say: at once
/// when the error is half a second, as after a pause, and otherwise when it lasts for a quarter of
/// a second. A late wake-up, and a clock's drift below two frames, cause no jump.
///
/// Without a show's time (free running, tests) a frame's number is its position in the patch.
///
/// Threads  Synchronized.
/// Cost     A short lock; no allocation.
class ShowCount {
 public:
  explicit ShowCount(FrameRate rate, ShowTime show_time = {});

  /// The number of the frame at `position`; the first call for a position settles it.
  [[nodiscard]] FrameIndex number_of(std::uint64_t position, LocalTime now) SUBMIX_EXCLUDES(mutex_);
  /// An end of the patch takes the frame at `position` at `now`, outside a pause.
  void shown(std::uint64_t position, LocalTime now) SUBMIX_EXCLUDES(mutex_);
  /// The number of the frame that would be shown at `now`. Without a show's time: of the next
  /// frame.
  [[nodiscard]] FrameIndex present(LocalTime now) const SUBMIX_EXCLUDES(mutex_);

  /// From a position on, numbers count from `number`.
  struct Run {
    std::uint64_t position = 0;
    std::uint64_t number = 0;
  };
  [[nodiscard]] Run newest() const SUBMIX_EXCLUDES(mutex_);

 private:
  static constexpr std::size_t kRuns = 8;  // frames in flight belong to the newest few

  void begin_run(std::uint64_t position, std::uint64_t number) SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] std::uint64_t known_number(std::uint64_t position) const SUBMIX_REQUIRES(mutex_);

  const FrameRate rate_;
  const ShowTime show_time_;
  mutable Mutex mutex_;
  std::array<Run, kRuns> runs_ SUBMIX_GUARDED_BY(mutex_){};  // the newest first
  std::uint64_t settled_ SUBMIX_GUARDED_BY(mutex_) = 0;      // positions with a number
  std::uint64_t shown_ SUBMIX_GUARDED_BY(mutex_) = 0;        // positions that an end has taken
  // number - position for the next frame that is settled
  std::optional<std::uint64_t> wanted_offset_ SUBMIX_GUARDED_BY(mutex_);
  std::optional<LocalTime> wrong_since_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::engine
