// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace submix::chain {

/// Options: how does the rate of heavy stages scale?
struct ScalingOptions {
  std::string filter = "edgeglow";  ///< a heavy frei0r filter without memory of earlier frames
  std::size_t workers = 2;          ///< stages in a row, or helpers of one stage
  int rounds = 7;
  double seconds = 3;
  Size size{1280, 720};
  bool is_json = false;
};

/// Prints ratios of rates on stdout, measured in short turns: equal heavy stages over one thread
/// that does all their work; a slot with helpers over one thread; as many independent threads over
/// one thread, which is the machine's limit; and the first two over the last.
void tell_scaling(const ScalingOptions& options);

/// Options: how do rate and latency of a chain with a shorter path beside it depend on the frames
/// in flight?
struct CapOptions {
  std::size_t stages = 4;
  double stage_ms = 5;
  double jitter = 0.5;      ///< as a share of the stage's time, at random
  std::vector<int> caps{};  ///< 0: the engine's own cap
  double seconds = 3;
  int fps = 0;  ///< 0: full speed
};

/// Uses stages that wait in place of computing, so that cores do not matter. Prints JSON on stdout.
void tell_caps(const CapOptions& options);

}  // namespace submix::chain
