// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <cstddef>

namespace submix::chain {

/// Options: how late are the frames of a paced chain?
struct PunctualityOptions {
  double seconds = 0;
  int fps = 60;
  std::size_t burners = 0;  ///< ordinary threads that copy memory without end
  bool is_realtime = false;
  double edits_per_second = 0;  ///< a filter in its own process comes and goes beside the chain
  Size size{1280, 720};
};

/// Runs two frei0r filters in this process at a pace. Prints JSON on stdout: how late frames pass
/// the governor, how late they reach the slot that shows them (relative to the earliest frame), and
/// how many never came. Returns the exit status: 1 if real-time priority was requested and not
/// granted.
[[nodiscard]] int tell_punctuality(const PunctualityOptions& options);

}  // namespace submix::chain
