// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace submix {

/// The tempo of the music, as the node that listens hears it.
struct HeardTempo {
  double beats_per_minute = 0.0;  ///< 0: no beat is sure
  double confidence = 0.0;        ///< 0 to 1; noise has 0.1, a sure beat 0.37 or more
  /// When the last beat was, by the cluster's clock. Zero: no beat is sure.
  std::chrono::nanoseconds last_beat{0};

  friend bool operator==(const HeardTempo&, const HeardTempo&) = default;
};

}  // namespace submix
