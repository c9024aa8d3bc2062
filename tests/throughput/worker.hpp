// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix::throughput {

/// The program as one side of a measurement: reads a Job from the channel, does it, reports. Gives the exit
/// status. Call it on a process's main thread, first.
int run_worker(int channel_descriptor);

}  // namespace submix::throughput
