// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/context.hpp"
#include "tests/throughput/notation.hpp"
#include "tests/throughput/peers_result.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace submix::throughput {

struct PeersOptions {
  Size size{1024, 768};
  std::optional<FrameRate> rate;  ///< over shaped links only; empty: full speed
  std::chrono::milliseconds duration{3000};
  std::chrono::milliseconds warm_up{1000};
  bool has_loopback = true;
  bool has_namespaces = true;
  std::size_t links = 2;       ///< at each venue
  std::vector<BitRate> shape;  ///< of each link in namespaces; as many as `links`
  std::size_t credits = 4;
  std::size_t rounds = 5;
  std::vector<std::string> only;  ///< names; empty: all
};

/// Measures all contestants in turn, at all venues in the same rounds. A venue that cannot be
/// provided is reported, unless it is the only venue.
[[nodiscard]] Result<PeersResult> measure_peers(Context& context, const PeersOptions& options);

[[nodiscard]] std::string to_text(const PeersOptions& options, const PeersResult& result);
[[nodiscard]] std::string to_json(const PeersOptions& options, const PeersResult& result);

int run_peers(Context& context, const PeersOptions& options);

}  // namespace submix::throughput
