// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "tests/throughput/peers_result.hpp"
#include "tests/throughput/testbed.hpp"
#include "tests/throughput/worker_process.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace submix::throughput {

/// The work of one comparison, the same for all contestants.
struct PeerTask {
  Size size{1024, 768};
  std::optional<FrameRate> rate;  ///< for contestants that can keep a rate; empty: full speed
  std::size_t links = 2;
  std::size_t credits = 4;
  std::chrono::milliseconds warm_up{1000};
  std::chrono::milliseconds duration{3000};
};

struct PeerRound {
  PeerFigures figures;
  std::optional<FrameFaults> faults;  ///< empty: the contestant's frames are not checked
};

/// A program or transport that can do the work.
struct Contestant {
  std::string name;
  std::string set_up;
  std::string missing;  ///< why it cannot take part; empty: it can
  bool is_multipath = false;
  std::function<Result<PeerRound>(const Testbed&, const Meanwhile&)> measure;
};

/// Contestants over loopback: plain TCP, other programs, and this project's streams.
[[nodiscard]] std::vector<Contestant> loopback_contestants(const PeerTask& task);
/// Contestants over several shaped links: plain TCP over each link alone (with a frame rate: over
/// the first link only), MPTCP, and this project's streams.
[[nodiscard]] std::vector<Contestant> shaped_contestants(const PeerTask& task);

}  // namespace submix::throughput
