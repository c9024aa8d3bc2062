// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/readings.hpp"
#include "node/engine/stage.hpp"

#include <memory>
#include <vector>

namespace submix::engine {

/// Says who holds the seats of the stages' pools and of their plugins' own pools. It compares two
/// accounts: the frames that holders have (queues, workers, taps, plugins) and the seats that each
/// pool counts as taken.
///
/// Shape    Each seat counts once. A steady reading describes one moment: all places but `free` and
///          `elsewhere` add up to `taken`, or a seat has no known holder. Frames kept by plugins
///          count as far as the plugins state how many they keep. A seat without a holder, or held
///          though free, is looked for again before it is reported, since a frame may have moved
///          meanwhile.
/// Threads  Any thread.
/// Cost     A stage waits for the census no longer than for another stage: for a queue's or pool's
///          lock during a few loads, in a few rounds at most.
[[nodiscard]] std::vector<telemetry::PoolReading> count_seats(
    const std::vector<std::shared_ptr<Stage>>& stages);

}  // namespace submix::engine
