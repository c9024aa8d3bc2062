// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/readings.hpp"

namespace submix::agent {

/// Fills in what the kernel says of this process: CPU time of all threads, resident memory, page faults;
/// and how often its frame threads allocated.
void read_process(telemetry::NodeReading& reading);

}  // namespace submix::agent
