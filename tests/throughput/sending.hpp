// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/frame_ports.hpp"
#include "tests/throughput/job.hpp"
#include "tests/throughput/ledger.hpp"

namespace submix::throughput {

/// Sends the job's frames with a thread for each stream: some to warm up, the measured frames, and
/// some more, so that the last measured frame finds the links as busy as the first.
///
/// Errors   No progress for ten seconds.
[[nodiscard]] Result<SideReport> send_frames(const Job& job, Outputs& outputs,
                                             const Ledger& ledger);

}  // namespace submix::throughput
