// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/sequence_check.hpp"
#include "tests/throughput/statistics.hpp"

#include <string>
#include <vector>

namespace submix::throughput {

/// One round's figures, or the medians over several rounds (faults: the sums). MB are 10^6 and GB
/// 10^9 bytes of pixels on the wire.
struct RunFigures {
  double goodput_mb_s = 0;
  double frames_per_second = 0;
  double line_share = 0;
  std::vector<double> links_alone_mb_s;
  std::vector<double> link_parts;  ///< of all bytes sent, 0 to 1
  double wire_ms = 0;              ///< of a frame, by the links' capacity and delays
  double cpu_s_per_gb_send = 0;
  double cpu_s_per_gb_receive = 0;
  double cpu_s_per_gb_machine = 0;
  Distribution latency_ms;  ///< from offered to released
  Distribution transit_ms;  ///< the same without the wait for credit
  Distribution latency_over_wire;
  double allocations_per_frame = 0;
  double faults_per_frame = 0;
  double allocations_per_frame_send = 0;
  double faults_per_frame_send = 0;
  FrameFaults faults;
};

struct RunResult {
  std::vector<RunFigures> rounds;
  RunFigures median;
  bool is_shaped = false;  ///< the capacity was set; else it is one plain connection's
  /// Part of a frame's time on the wire that the limiters let pass after a pause
  double burst_ms = 0;
  bool counts_allocations = true;
  std::string complaints{};  ///< of the streams, in any round; empty: none
};

[[nodiscard]] RunFigures median_of(const std::vector<RunFigures>& rounds);
[[nodiscard]] std::string to_text(const RunResult& result);

}  // namespace submix::throughput
