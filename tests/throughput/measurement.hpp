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

/// The reports of both sides of one measurement, and its ledger.
struct Outcome {
  Ledger ledger;
  SideReport sent;
  SideReport received;
};

/// Runs a sending and a receiving process with `job` over the testbed's links. The job's sides,
/// addresses, endpoints and ledger are filled in.
///
/// Errors   The error of a side, or a timeout.
[[nodiscard]] Result<Outcome> measure(const Testbed& testbed, Job job,
                                      const std::vector<std::size_t>& links,
                                      const Meanwhile& meanwhile);

[[nodiscard]] std::vector<std::size_t> all_links(const Testbed& testbed);

/// The figures of the measured frames of all streams.
struct WindowFigures {
  double bytes_per_second = 0;  ///< of pixels on the wire
  std::uint64_t frames = 0;
  double frames_per_second = 0;     ///< frames that arrived, taken by the receiver or not
  std::vector<double> latencies_s;  ///< from offered to released
  std::vector<double> transits_s;   ///< from begun to released
  std::vector<double> offered_s;    ///< when each of them was offered
};

/// Fails if no frame was measured.
[[nodiscard]] Result<WindowFigures> read_window(const Ledger& ledger, std::size_t frame_bytes);

}  // namespace submix::throughput
