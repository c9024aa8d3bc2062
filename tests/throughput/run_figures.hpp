// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/measurement.hpp"
#include "tests/throughput/rate_timeline.hpp"
#include "tests/throughput/run_result.hpp"

namespace submix::throughput {

/// What a measurement tells by itself: all but what relates to the lines.
///
/// Errors   Nothing was measured; with what was lost.
[[nodiscard]] Result<RunFigures> figures_of(const Outcome& outcome, Size size);

/// Relates each frame's latency to its time on the wire, to which the links' delays add `delays_s`, and the
/// goodput to what the links carry alone. Precondition: figures_of() has not failed.
void relate_to_line(RunFigures& figures, const Outcome& outcome, Size size,
                    const RateTimeline& timeline, double delays_s = 0);

}  // namespace submix::throughput
