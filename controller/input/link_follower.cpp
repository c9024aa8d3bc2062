// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/link_follower.hpp"

#include "common/show/tempo.hpp"

#include <algorithm>
#include <cmath>

namespace submix::input {
namespace {

constexpr double kLinkMin = 20;  // Link's own limits
constexpr double kLinkMax = 999;
constexpr double kSameTempo = 0.005;  // Link stores a tempo as whole microseconds per beat

constexpr double kSameBeat = 0.02;                // 10 ms at 120 beats a minute: nobody sees it
constexpr std::chrono::seconds kBeatPatience{1};  // an announced beat takes effect before

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

LinkFollower::BeatChange LinkFollower::follow_beat(const Beats& beats, LocalTime now) {
  // The shorter way round the bar.
  const double ahead = std::remainder(beats.link - beats.show, show::kBarBeats);
  if (std::abs(ahead) <= kSameBeat || now - beat_ordered_ < kBeatPatience) return {};
  beat_ordered_ = now;
  if (beats.has_peers) return {ahead, {}};
  return {{}, beats.show};
}

}  // namespace submix::input
