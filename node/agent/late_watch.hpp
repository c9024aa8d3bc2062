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
  std::uint64_t untold = 0;  ///< that missed theirs before it, since the last one was told

  friend bool operator==(const LateFrame&, const LateFrame&) = default;
};

/// Sees frames that missed their deadlines; of those that come one after the other it tells one.
///
/// Threads  Compatible.
class LateWatch {
 public:
  /// A show that is too slow is late all the time: one trace of that tells as much as a hundred.
  static constexpr std::chrono::seconds kPause{30};

  /// The first one since the last call, unless one was told less than kPause ago.
  [[nodiscard]] std::optional<LateFrame> look_at(
      const std::vector<telemetry::SubmixReading>& readings, LocalTime now);
  /// How many missed theirs while nothing was told of them, once that is over; each is told once.
  [[nodiscard]] std::uint64_t take_untold(LocalTime now);

 private:
  [[nodiscard]] bool is_pausing(LocalTime now) const { return told_ && now - *told_ < kPause; }

  struct Seen {
    std::uint64_t frames = 0;  ///< so far
    std::uint64_t missed = 0;  ///< of these
  };
  std::map<std::string, Seen> seen_;  // by submix
  std::optional<LocalTime> told_;
  std::uint64_t untold_ = 0;
};

}  // namespace submix::agent
