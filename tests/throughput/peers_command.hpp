// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/context.hpp"
#include "tests/throughput/notation.hpp"
#include "tests/throughput/sequence_check.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace submix::throughput {

struct PeersOptions {
  Size size{1024, 768};
  std::optional<FrameRate> rate;  ///< shaped links only; empty: as fast as it goes
  std::chrono::milliseconds duration{3000};
  std::chrono::milliseconds warm_up{1000};
  std::size_t links = 2;
  std::vector<BitRate> shape;  ///< empty: loopback
  std::size_t credits = 4;
  std::size_t rounds = 5;
  std::vector<std::string> only;  ///< names; empty: all
};

/// One round of one way of doing the work.
struct PeerFigures {
  double goodput_mb_s = 0;
  double frames_per_second = 0;
  double frames_per_cpu_s = 0;           ///< of both sides' processes
  std::optional<double> latency_ms_p50;  ///< empty: it cannot be told
  std::optional<double> latency_ms_p99;
  std::optional<double> transit_ms_p50;  ///< without the wait for credit
  std::optional<double> transit_ms_p99;
};

struct PeerResult {
  std::string name;
  std::string set_up;
  std::vector<PeerFigures> rounds;  ///< as many as there were, unless it was skipped
  std::string skipped;              ///< why; empty: it was measured
  FrameFaults faults;
};

struct PeersResult {
  std::vector<PeerResult> peers;
  std::string note;  ///< what limits the comparison; may be empty
};

[[nodiscard]] Result<PeersResult> measure_peers(Context& context, const PeersOptions& options);

/// The median of `figure` over a peer's rounds.
[[nodiscard]] double median_of(const PeerResult& peer, double PeerFigures::* figure);
[[nodiscard]] std::optional<double> median_of(const PeerResult& peer,
                                              std::optional<double> PeerFigures::* figure);
/// The median of the ratios of each round. Both have the same number of rounds.
[[nodiscard]] double ratio_of(const PeerResult& peer, const PeerResult& to, double PeerFigures::* figure);

[[nodiscard]] std::string to_text(const PeersOptions& options, const PeersResult& result);
[[nodiscard]] std::string to_json(const PeersOptions& options, const PeersResult& result);

int run_peers(Context& context, const PeersOptions& options);

}  // namespace submix::throughput
