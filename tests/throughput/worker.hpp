// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix::throughput {

/// Runs the program as one side of a measurement: reads a Job from the channel, does it, reports.
/// Returns the exit status. To be called first, on a process's main thread.
int run_worker(int channel_descriptor);

}  // namespace submix::throughput
