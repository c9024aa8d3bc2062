// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/readings.hpp"
#include "node/engine/stage.hpp"

#include <memory>
#include <vector>

namespace submix::engine {

/// Who has the seats of these stages' pools, and of those that their plugins have: what holders have (queues,
/// workers, taps, plugins that keep frames) against what each pool says is taken.
///
/// Shape    Each seat counts once. A reading that is steady is of one moment: all places but `free` and
///          `elsewhere` add up to `taken`, or some seat has no known holder. What plugins keep counts as far
///          as they say how much they keep. Both that and a seat that a holder has though it is free is
///          looked for again before it is told: a frame may have moved meanwhile.
/// Threads  Any thread.
/// Cost     The stages wait for it no longer than for another stage: a queue's or pool's lock for a few
/// loads; some rounds of that at most.
[[nodiscard]] std::vector<telemetry::PoolReading> count_seats(
    const std::vector<std::shared_ptr<Stage>>& stages);

}  // namespace submix::engine
