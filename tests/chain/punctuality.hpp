// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <cstddef>

namespace submix::chain {

/// How late the frames of a paced chain are.
struct PunctualityOptions {
  double seconds = 0;
  int fps = 60;
  std::size_t burners = 0;  ///< ordinary threads that copy memory without end
  bool is_realtime = false;
  double edits_per_second =
      0;  ///< a filter in a process of its own comes and goes, beside the chain
  Size size{1280, 720};
};

/// Two filters of frei0r's in this process, at a pace: how late frames pass the governor, and how late the
/// slot that shows them has them in its hands, against the times at which the earliest one would set them,
/// and how many did not come; as JSON on stdout. The exit status: 1 where real-time priority was asked for
/// and not granted.
[[nodiscard]] int tell_punctuality(const PunctualityOptions& options);

}  // namespace submix::chain
