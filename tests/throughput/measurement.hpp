// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "tests/throughput/job.hpp"
#include "tests/throughput/ledger.hpp"
#include "tests/throughput/testbed.hpp"
#include "tests/throughput/worker_process.hpp"

#include <cstddef>
#include <vector>

namespace submix::throughput {

/// What both sides of one measurement have to say.
struct Outcome {
  Ledger ledger;
  SideReport sent;
  SideReport received;
};

/// Runs a sending and a receiving process with `job` (its sides, addresses, endpoints and ledger are filled
/// in) over those of the testbed's links.
///
/// Errors   What a side has said, or that nothing came for long.
[[nodiscard]] Result<Outcome> measure(const Testbed& testbed, Job job,
                                      const std::vector<std::size_t>& links,
                                      const Meanwhile& meanwhile);

[[nodiscard]] std::vector<std::size_t> all_links(const Testbed& testbed);

/// The figures of the measured frames of all streams.
struct WindowFigures {
  double bytes_per_second = 0;  ///< of pixels on the wire
  std::uint64_t frames = 0;
  double frames_per_second = 0;  ///< that came in, whether the receiver had taken them yet or not
  std::vector<double> latencies_s;  ///< from offered to released
  std::vector<double> transits_s;   ///< from begun to released
  std::vector<double> offered_s;    ///< when, of each of them
};

/// Fails when no frame has been measured.
[[nodiscard]] Result<WindowFigures> read_window(const Ledger& ledger, Size size);

}  // namespace submix::throughput
