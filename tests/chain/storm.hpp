// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace submix::chain {

struct StormOptions {
  int deeds = 5000;           ///< crashes and hangs in all
  double period_seconds = 5;  ///< quiet and stormy ones take turns
  bool is_json = false;
  bool judges_survival_only = false;  ///< not rates and gaps: the machine does other things
};

inline constexpr double kRatioLeast =
    0.99;  ///< of the other chain's rate, in the median of all periods
inline constexpr double kCrashGapMost =
    2.0;  ///< in frames of the slot that crashed, at the 99th percentile

/// What is judged of a storm.
struct StormOutcome {
  int done = 0;
  bool all_work = false;
  std::uint64_t others_held = 0;  ///< frames, of all slots of the other chain
  double ratio_median = 0;        ///< of its rate, stormy over quiet
  std::size_t periods = 0;
  double crash_gap_p99 = 0;  ///< hangs are no crashes: they cost their patience

  /// A line for each thing that is not as it shall be.
  [[nodiscard]] std::vector<std::string> missed(const StormOptions& options) const;
};

/// Hosts crash and hang in nine ways, one after the other, while another chain runs: prints how many frames
/// each cost its own slot, and what rate the other chain kept of its rate in quiet periods; what was missed
/// on stderr. Returns the exit status: 0 where nothing was.
[[nodiscard]] int run_storm(const StormOptions& options);

}  // namespace submix::chain
