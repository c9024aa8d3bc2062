// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "node/io/clip/course.hpp"
#include "node/io/clip/played_clips.hpp"

#include <cstddef>
#include <optional>

namespace submix::io {

/// Turns the moments that a clip shows, frame by frame, into sound without gaps. It works like a
/// tape: at another speed the pitch changes, and backwards the sound runs backwards. On a loaded
/// machine frames come late or early; the tape's speed changes a little until both agree again.
/// After a jump of the clip the sound jumps, too.
///
/// Threads  Compatible.
class ClipFollower {
 public:
  /// The course of the `samples` samples that are heard from `now` on: the moment of the first
  /// sample and the step between samples. Empty: the clip stands still, has ended, or is paused.
  [[nodiscard]] std::optional<Course> next(const PlayedMoment& moment, LocalTime now,
                                           std::size_t samples);
  /// The next piece need not continue the last one.
  void jump() { seconds_.reset(); }

 private:
  std::optional<double> seconds_;  // where the next piece begins in the clip
};

}  // namespace submix::io
