// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/clip_beats.hpp"

#include <cmath>

namespace submix::show {

double lasting_beats(double beats, double span_seconds, double beats_per_second) {
  if (!(beats > 0) || !(span_seconds > 0)) return 0;
  const double speed = span_seconds * beats_per_second / beats;
  if (!std::isfinite(speed) || speed <= kClipSpeedMax) return beats;
  return beats * std::exp2(std::ceil(std::log2(speed / kClipSpeedMax)));
}

}  // namespace submix::show
