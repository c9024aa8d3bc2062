// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "tests/chain/contest.hpp"

#include <string>
#include <vector>

namespace submix::chain {

/// What is measured of a chain of filters, and how long.
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

/// Of pairs of rounds. On stdout, as JSON.
void report_trace_cost(const Way& traced, const Way& untraced, const Options& options);

/// `ways`: a loop, a loop on each core, in process, own process; all with as many rounds.
/// `distances`: core_distance() of each round. On stdout, for people or as JSON.
void report_costs(const std::vector<Way>& ways, const std::vector<double>& distances,
                  const Options& options);

}  // namespace submix::chain
