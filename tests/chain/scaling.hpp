// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace submix::chain {

/// How the rate of heavy stages is measured.
struct ScalingOptions {
  std::string filter = "edgeglow";  ///< frei0r's, heavy and without memory
  std::size_t workers = 2;          ///< stages in a row; helpers of one
  int rounds = 7;
  double seconds = 3;
  Size size{1280, 720};
  bool is_json = false;
};

/// Rates of equal heavy stages over that of one thread that does all of their work, of a slot with helpers
/// over one thread, and of as many threads with nothing in common over one, which is what this machine can
/// give; and of both over those threads. In short turns, to stdout.
void tell_scaling(const ScalingOptions& options);

/// How the rate and the latency of a chain with a shorter way beside it depend on the frames in flight.
struct CapOptions {
  std::size_t stages = 4;
  double stage_ms = 5;
  double jitter = 0.5;      ///< of that, at random
  std::vector<int> caps{};  ///< 0: the engine's own
  double seconds = 3;
  int fps = 0;  ///< 0: as fast as it goes
};

/// Stages that wait instead of computing, so that cores do not matter; as JSON on stdout.
void tell_caps(const CapOptions& options);

}  // namespace submix::chain
