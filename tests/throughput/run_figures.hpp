// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/measurement.hpp"
#include "tests/throughput/rate_timeline.hpp"
#include "tests/throughput/run_result.hpp"

namespace submix::throughput {

/// All figures of a measurement except those that relate to the links' capacity. `frame_bytes`: on
/// the wire.
///
/// Errors   No frame was measured; names the lost frames.
[[nodiscard]] Result<RunFigures> figures_of(const Outcome& outcome, std::size_t frame_bytes);

/// Relates each frame's latency to its time on the wire, to which the links' delays add `delays_s`,
/// and the goodput to the capacity of the links. Precondition: figures_of() has not failed.
void relate_to_line(RunFigures& figures, const Outcome& outcome, std::size_t frame_bytes,
                    const RateTimeline& timeline, double delays_s = 0);

}  // namespace submix::throughput
