// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <optional>
#include <vector>

namespace submix::model {

/// The tempo of a hand that taps on each beat. Two seconds without a tap begin anew.
class TapTempo {
 public:
  /// Beats per minute of the taps so far, within the show's limits. Empty before the third tap: two
  /// alone may be a slip.
  [[nodiscard]] std::optional<double> tap(LocalTime now);
  /// Whether the last tap has begun anew.
  [[nodiscard]] bool has_begun() const { return taps_.size() == 1; }

 private:
  std::vector<LocalTime> taps_;  // oldest first
};

}  // namespace submix::model
