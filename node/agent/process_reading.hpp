// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/readings.hpp"

namespace submix::agent {

/// Fills in this process's figures: CPU time of all threads, resident memory, page faults, and
/// allocations by frame threads.
void read_process(telemetry::NodeReading& reading);

}  // namespace submix::agent
