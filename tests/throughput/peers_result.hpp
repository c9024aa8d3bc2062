// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/sequence_check.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace submix::throughput {

/// One round of one contestant. An empty value is unknown.
struct PeerFigures {
  double goodput_mb_s = 0;
  double frames_per_second = 0;
  double cpu_s_per_gb_send = 0;
  double cpu_s_per_gb_receive = 0;
  double frames_per_cpu_s = 0;  ///< of both sides' processes
  double faults_per_frame = 0;  ///< of both sides' processes
  std::optional<double> allocations_per_frame{};
  std::optional<double> latency_ms_p50{};
  std::optional<double> latency_ms_p99{};
  std::optional<double> transit_ms_p50{};  ///< without the wait for credit
  std::optional<double> transit_ms_p99{};
};

struct PeerResult {
  std::string name;
  std::string set_up{};
  std::vector<PeerFigures> rounds{};    ///< empty if the contestant was skipped
  std::string skipped{};                ///< why; empty: it was measured
  std::optional<FrameFaults> faults{};  ///< empty: its frames are not checked
};

/// All contestants over the same links.
struct PeersVenue {
  std::string over;  ///< "loopback", "1gbit + 500mbit"
  bool is_loopback = true;
  std::size_t links = 0;
  bool is_paced = false;  ///< at a frame rate below the links' capacity
  std::vector<PeerResult> peers{};
  std::string skipped{};  ///< why this machine cannot provide it; empty: it can
  std::string note{};     ///< limits of the comparison; may be empty
};

struct PeersResult {
  std::vector<PeersVenue> venues;
};

/// The peer with this name. Null if it was skipped or did not take part.
[[nodiscard]] const PeerResult* find_peer(const PeersVenue& venue, const std::string& name);

/// The median of `figure` over a peer's rounds.
[[nodiscard]] double median_of(const PeerResult& peer, double PeerFigures::* figure);
[[nodiscard]] std::optional<double> median_of(const PeerResult& peer,
                                              std::optional<double> PeerFigures::* figure);
/// The median of the rounds' ratios. Both peers have the same number of rounds.
[[nodiscard]] double ratio_of(const PeerResult& peer, const PeerResult& to,
                              double PeerFigures::* figure);
[[nodiscard]] std::optional<double> ratio_of(const PeerResult& peer, const PeerResult& to,
                                             std::optional<double> PeerFigures::* figure);

/// Plain TCP over one link, the first being 0: "plain", "plain-link-1". Their sum is the capacity
/// of the links.
[[nodiscard]] std::string plain_name(std::size_t link);

/// Goodput divided by the capacity of the links in the same round (by plain TCP), the median of all
/// rounds. Over loopback, whose links share one machine, the capacity is that of the first link.
/// Empty: not all of this was measured, or the contestants kept a pace.
[[nodiscard]] std::optional<double> line_share_of(const PeersVenue& venue, const PeerResult& peer);

}  // namespace submix::throughput
