// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "tests/chain/contest.hpp"

#include <string>
#include <vector>

namespace submix::chain {

/// The measured chain of filters, and the duration.
struct Options {
  std::vector<std::string> filters{"invert0r", "gamma", "brightness", "contrast0r", "B",
                                   "G",        "R",     "invert0r",   "gamma",      "brightness"};
  int rounds = 7;
  double seconds = 3;
  int fps = 0;
  int kills = 0;
  bool compares_trace = false;
  int in_flight = 0;
  bool is_json = false;
  Size size{1280, 720};
};

/// Compares pairs of rounds. Prints JSON on stdout.
void report_trace_cost(const ContestEntry& traced, const ContestEntry& untraced,
                       const Options& options);

/// `entries`: a loop, a loop on each core, in process, own process; all with the same number of
/// rounds. `distances`: core_distance() of each round. Prints on stdout, for people or as JSON.
void report_costs(const std::vector<ContestEntry>& entries, const std::vector<double>& distances,
                  const Options& options);

}  // namespace submix::chain
