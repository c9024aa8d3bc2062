// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "node/io/clip/course.hpp"
#include "node/io/clip/played_clips.hpp"

#include <cstddef>
#include <optional>

namespace submix::io {

/// Turns the moments that a clip shows, frame by frame, into sound without gaps. Pieces follow each
/// other as on a tape: at another speed the pitch changes, and backwards the sound runs backwards.
/// The frames of a loaded machine come late or early; the tape's speed bends until it agrees with
/// them again. After a jump of the clip the sound jumps, too.
///
/// Threads  Compatible.
class ClipFollower {
 public:
  /// The course of the `samples` samples that are heard from `now` on: the moment of the first one
  /// and the step to the next. Empty: the clip stands still, has ended, or is paused.
  [[nodiscard]] std::optional<Course> next(const PlayedMoment& moment, LocalTime now,
                                           std::size_t samples);
  /// The next piece follows no other one.
  void jump() { seconds_.reset(); }

 private:
  std::optional<double> seconds_;  // where the next piece begins in the clip
};

}  // namespace submix::io
