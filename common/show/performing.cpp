// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/performing.hpp"

#include <algorithm>
#include <cmath>

namespace submix::show {

double value_at(const Fade& fade, double to, std::uint64_t frame) {
  if (frame <= fade.frame) return fade.from;
  if (frame - fade.frame >= fade.frames) return to;
  const auto part = static_cast<double>(frame - fade.frame) / static_cast<double>(fade.frames);
  return std::lerp(fade.from, to, part);
}

}  // namespace submix::show
