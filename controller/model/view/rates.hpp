// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/readings.hpp"
#include "controller/model/view/cluster_view.hpp"

/// Rates from two readings of one thing. The only place where totals become rates, for the window and the
/// command line alike. Totals that went backwards (the thing began anew) give 0, never a negative rate.
namespace submix::model {

/// Two readings of one life of a node. `before` may be null: then every rate is 0.
struct ReadingPair {
  const telemetry::NodeReading* before = nullptr;
  const telemetry::NodeReading* after = nullptr;

  [[nodiscard]] double seconds()
      const;  ///< by the node's own clock; 0 when there is no rate to be had
};

[[nodiscard]] double rate(std::uint64_t before, std::uint64_t after, double seconds);
/// Seconds of work for each second.
[[nodiscard]] double rate(std::chrono::nanoseconds before, std::chrono::nanoseconds after,
                          double seconds);

[[nodiscard]] double cpu_cores(const ReadingPair& pair);
[[nodiscard]] double page_faults_per_second(const ReadingPair& pair);
[[nodiscard]] double allocations_per_second(const ReadingPair& pair);
/// Of each core of the machine, 0 to 1; empty when there is no rate to be had.
[[nodiscard]] std::vector<double> core_shares(const ReadingPair& pair);
/// The cards that a node reports, one for each name, with their rates.
[[nodiscard]] std::vector<CardView> card_views(const ReadingPair& pair,
                                               const std::vector<NetworkInterface>& interfaces);
/// Fills in what is measured: frames, rates and stages; nothing when the node does not run the submix.
void measure(const ReadingPair& pair, SubmixView& submix);

/// Histories are not filled in. `stream` is of `pair.after`.
[[nodiscard]] StreamEndView stream_end_view(const ReadingPair& pair,
                                            const telemetry::StreamReading& stream);

}  // namespace submix::model
