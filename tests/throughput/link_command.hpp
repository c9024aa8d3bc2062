// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/context.hpp"
#include "tests/throughput/sequence_check.hpp"
#include "tests/throughput/serve_command.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace submix::throughput {

struct LinkOptions {
  std::string host;
  std::uint16_t port = kLinkPort;
  std::string key_file;                     ///< empty: none
  std::vector<std::string> data_addresses;  ///< of this machine; empty: all cards that are up
  std::string size = "xga";
  std::chrono::milliseconds duration{3000};
  std::chrono::milliseconds warm_up{1000};
  std::size_t rounds = 3;
};

/// What one or more links carry to the other machine. MB are 10^6 bytes of pixels.
struct LinkRate {
  double goodput_mb_s = 0;
  double cpu_s_per_gb_send = 0;
  double cpu_s_per_gb_receive = 0;
  double allocations_per_frame = 0;  ///< of both sides, like the next
  double faults_per_frame = 0;
  /// From offered to released; empty: the clocks are not compared
  std::optional<double> latency_ms_p50{};
  std::optional<double> latency_ms_p99{};
};

struct PairResult {
  std::string from;
  std::string to;
  int mtu_bytes = 0;   ///< the smaller of both sides; 0: unknown
  int speed_mbit = 0;  ///< of this side's card; 0: the card does not say
  LinkRate alone;
  std::string problem;  ///< why the pair carries nothing; empty: it does
  FrameFaults faults{};
};

struct LinkResult {
  std::string host;  ///< the other machine's own name
  std::vector<PairResult> pairs;
  LinkRate together;  ///< by a stream of this project
  double line_share = 0;
  FrameFaults faults;
  std::string verdict;
  /// Of the stream: reasons why a link is slower than it could be. Empty: none.
  std::string complaints{};
};

[[nodiscard]] Result<LinkResult> measure_link(Context& context, const LinkOptions& options);
[[nodiscard]] std::string to_text(const LinkOptions& options, const LinkResult& result);
[[nodiscard]] std::string to_json(const LinkOptions& options, const LinkResult& result);

/// Measures each pair of cards alone by plain TCP, then all pairs together by one stream.
int run_link(Context& context, const LinkOptions& options);

}  // namespace submix::throughput
