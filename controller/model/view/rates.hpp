// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/readings.hpp"
#include "controller/model/view/cluster_view.hpp"

/// Rates from two readings of one node. Totals become rates only here, for the window and the
/// command line. A total that went backwards (a restart) gives 0, never a negative rate.
namespace submix::model {

/// Two readings of one process of a node. `before` may be null: then every rate is 0.
struct ReadingPair {
  const telemetry::NodeReading* before = nullptr;
  const telemetry::NodeReading* after = nullptr;

  /// By the node's own clock. 0: no rate is possible.
  [[nodiscard]] double seconds() const;
};

[[nodiscard]] double rate(std::uint64_t before, std::uint64_t after, double seconds);
/// Seconds of work per second.
[[nodiscard]] double rate(std::chrono::nanoseconds before, std::chrono::nanoseconds after,
                          double seconds);

[[nodiscard]] double cpu_cores(const ReadingPair& pair);
[[nodiscard]] double page_faults_per_second(const ReadingPair& pair);
[[nodiscard]] double allocations_per_second(const ReadingPair& pair);
/// Load of each core of the machine, 0 to 1. Empty: no rate is possible.
[[nodiscard]] std::vector<double> core_shares(const ReadingPair& pair);
/// The cards that a node reports, one for each name, with their rates.
[[nodiscard]] std::vector<CardView> card_views(const ReadingPair& pair,
                                               const std::vector<NetworkInterface>& interfaces);
/// Fills in the measured frames, rates and stages. Does nothing when the node does not run the
/// submix.
void measure(const ReadingPair& pair, SubmixView& submix);

/// Leaves histories empty. `stream` is a part of `pair.after`.
[[nodiscard]] StreamEndView stream_end_view(const ReadingPair& pair,
                                            const telemetry::StreamReading& stream);

}  // namespace submix::model
