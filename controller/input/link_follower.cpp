// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/link_follower.hpp"

#include <algorithm>
#include <cmath>

namespace submix::input {
namespace {

constexpr double kLinkMin = 20;  // Link's own limits
constexpr double kLinkMax = 999;
constexpr double kSameTempo = 0.005;  // Link stores a tempo as whole microseconds per beat

bool is_same(double a, double b) {
  return std::abs(a - b) <= kSameTempo;
}

}  // namespace

LinkFollower::TempoChange LinkFollower::follow(double show, double link, LocalTime now) {
  if (show_seen_ && !is_same(link, known_)) {
    known_ = link;
    ordered_ = now;
    return {link, {}};
  }
  if (show_seen_ && (now - ordered_ < kSeenTime || is_same(show, *show_seen_))) return {};
  const bool is_start = !show_seen_;
  show_seen_ = show;
  const double wanted = std::clamp(show, kLinkMin, kLinkMax);
  if (!is_start && is_same(wanted, known_)) return {};
  known_ = wanted;
  return {{}, wanted};
}

}  // namespace submix::input
