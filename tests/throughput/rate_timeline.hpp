// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace submix::throughput {

/// What all links together carry, as it changes: how long a frame needs on the wire at best.
///
/// Threads  Compatible.
class RateTimeline {
 public:
  explicit RateTimeline(double bytes_per_second) : steps_{{0, bytes_per_second}} {}

  /// From `at_s` on; later than all before.
  void change(double at_s, double bytes_per_second) { steps_.push_back({at_s, bytes_per_second}); }
  [[nodiscard]] double first_rate() const { return steps_.front().bytes_per_second; }
  /// How long after `at_s` that many bytes have passed, if they have the links to themselves.
  [[nodiscard]] double wire_seconds(double at_s, double bytes) const;

 private:
  struct Step {
    double begin_s = 0;
    double bytes_per_second = 0;
  };
  std::vector<Step> steps_;
};

}  // namespace submix::throughput
