// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace submix::chain {

struct StormOptions {
  int deeds = 5000;           ///< crashes and hangs in total
  double period_seconds = 5;  ///< quiet and stormy periods alternate
  bool is_json = false;
  /// Rates and gaps are not judged, because the machine does other work
  bool judges_survival_only = false;
};

/// of the other chain's rate, as the median of all periods
inline constexpr double kRatioLeast = 0.99;
/// in frames of the crashed slot, at the 99th percentile
inline constexpr double kCrashGapMost = 2.0;

/// The judged figures of a storm.
struct StormOutcome {
  int done = 0;
  bool all_work = false;
  std::uint64_t others_held = 0;  ///< frames, of all slots of the other chain
  double ratio_median = 0;        ///< of its rate, stormy over quiet
  std::size_t periods = 0;
  double crash_gap_p99 = 0;  ///< without hangs, which also cost their timeout

  /// A line for each missed requirement.
  [[nodiscard]] std::vector<std::string> missed(const StormOptions& options) const;
};

/// Lets hosts crash and hang in nine ways, one after the other, while another chain runs. Prints
/// the frames that each way cost its slot, and the other chain's rate relative to quiet periods.
/// Missed requirements go to stderr. Returns the exit status: 0 if no requirement was missed.
[[nodiscard]] int run_storm(const StormOptions& options);

}  // namespace submix::chain
