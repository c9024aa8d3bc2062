// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/telemetry/readings.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace submix::agent {

/// A frame that missed its deadline (engine::miss_tolerance).
struct LateFrame {
  std::string submix;
  std::uint64_t frame = 0;
  std::uint64_t untold = 0;  ///< earlier late frames without a report

  friend bool operator==(const LateFrame&, const LateFrame&) = default;
};

/// Finds frames that missed their deadlines, and reports one of a series.
///
/// Threads  Compatible.
class LateWatch {
 public:
  /// Least time between two reports. An overloaded show is late all the time; one trace tells as
  /// much as a hundred.
  static constexpr std::chrono::seconds kReportInterval{30};

  /// The first late frame since the last call; empty for kReportInterval after a report.
  [[nodiscard]] std::optional<LateFrame> find_late(
      const std::vector<telemetry::SubmixReading>& readings, LocalTime now);
  /// The late frames since the last report, once kReportInterval is over without another one. Each
  /// frame is counted once.
  [[nodiscard]] std::uint64_t take_untold(LocalTime now);

 private:
  [[nodiscard]] bool has_just_reported(LocalTime now) const {
    return told_ && now - *told_ < kReportInterval;
  }

  struct Seen {
    std::uint64_t frames = 0;  ///< frames so far
    std::uint64_t missed = 0;  ///< frames with a missed deadline
  };
  std::map<std::string, Seen> seen_;  // by submix
  std::optional<LocalTime> told_;
  std::uint64_t untold_ = 0;
};

}  // namespace submix::agent
