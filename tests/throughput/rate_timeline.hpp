// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace submix::throughput {

/// The changing capacity of all links together. Tells the least time of a frame on the wire.
///
/// Threads  Compatible.
class RateTimeline {
 public:
  explicit RateTimeline(double bytes_per_second) : changes_{{0, bytes_per_second}} {}

  /// Sets the rate from `at_s` on. Later than all earlier changes.
  void change(double at_s, double bytes_per_second) {
    changes_.push_back({at_s, bytes_per_second});
  }
  [[nodiscard]] double first_rate() const { return changes_.front().bytes_per_second; }
  /// Seconds after `at_s` until `bytes` have passed, if no other data uses the links.
  [[nodiscard]] double wire_seconds(double at_s, double bytes) const;

 private:
  struct RateChange {
    double begin_s = 0;
    double bytes_per_second = 0;
  };
  std::vector<RateChange> changes_;
};

}  // namespace submix::throughput
