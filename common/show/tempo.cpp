// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/tempo.hpp"

namespace submix::show {

Moment moment_of(const Timeline& timeline, FrameRate rate, FrameIndex frame) {
  // Multiplies whole frames first: results that divide evenly stay exact however long a show lasts.
  const auto frames = static_cast<double>(frame.value) - static_cast<double>(timeline.since.value);
  const double seconds = frames * rate.denominator / rate.numerator * timeline.tempo.master_speed;
  return {timeline.moment.seconds + seconds,
          timeline.moment.beats + seconds * timeline.tempo.beats_per_minute / 60.0};
}

Timeline in_step(const Tempo& after, const Timeline& before, FrameRate rate, FrameIndex frame) {
  return {after, frame, moment_of(before, rate, frame)};
}

}  // namespace submix::show
