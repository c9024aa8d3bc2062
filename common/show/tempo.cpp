// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/tempo.hpp"

#include "common/show/clock_set_back.hpp"

#include <algorithm>
#include <utility>

namespace submix::show {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Longer than a document takes to all nodes; a node that is later than this jumps.
constexpr milliseconds kAnnouncement{200};
// Changes that follow each other quickly replace each other: a document keeps few segments.
constexpr milliseconds kChangePeriod{250};

TempoSegment newest(const Tempo& tempo) {
  return {tempo.beats_per_minute, tempo.master_speed, tempo.since, tempo.seconds, tempo.beats};
}

TempoSegment segment_at(const Tempo& tempo, nanoseconds time) {
  if (time >= tempo.since || tempo.before.empty()) return newest(tempo);
  const auto later = std::ranges::find_if(
      tempo.before, [&](const TempoSegment& segment) { return segment.since > time; });
  return later == tempo.before.begin() ? tempo.before.front() : *std::prev(later);
}

// Segments that have not begun when another one is written for the same time are replaced.
Tempo followed_by(const Tempo& former, const TempoSegment& next) {
  Tempo tempo{next.beats_per_minute, next.master_speed, next.since,
              next.seconds,          next.beats,        former.before};
  std::erase_if(tempo.before, [&](const TempoSegment& each) { return each.since >= next.since; });
  if (former.since < next.since) tempo.before.push_back(newest(former));
  if (tempo.before.size() > kFormerPacesMax) tempo.before.erase(tempo.before.begin());
  return tempo;
}

}  // namespace

Moment moment_at(const Tempo& tempo, nanoseconds time) {
  const auto segment = segment_at(tempo, time);
  const double passed = static_cast<double>((time - segment.since).count()) / 1e9;
  const double seconds = passed * segment.master_speed;
  return {segment.seconds + seconds, segment.beats + seconds * segment.beats_per_minute / 60.0,
          time};
}

Moment moment_of(const Tempo& tempo, FrameRate rate, FrameIndex frame) {
  return moment_at(tempo, rate.time_of(frame));
}

milliseconds announced_after(nanoseconds now) {
  const auto earliest = std::chrono::ceil<milliseconds>(now) + kAnnouncement;
  const auto periods = (earliest + kChangePeriod - milliseconds(1)) / kChangePeriod;
  return periods * kChangePeriod;
}

Tempo changed(const Tempo& before, double beats_per_minute, double master_speed, milliseconds at) {
  const auto since = begin_of_change(before.since, at);
  const auto moment = moment_at(before, since);
  return followed_by(before, {beats_per_minute, master_speed, since, moment.seconds, moment.beats});
}

Tempo with_beat(const Tempo& before, double beats, milliseconds at) {
  const auto since = begin_of_change(before.since, at);
  const double late = static_cast<double>((since - at).count()) / 1000.0;
  const auto moment = moment_at(before, since);
  return followed_by(before, {before.beats_per_minute, before.master_speed, since, moment.seconds,
                              beats + late * before.master_speed * before.beats_per_minute / 60.0});
}

bool is_same_pace(const Tempo& a, const Tempo& b) {
  return a.beats_per_minute == b.beats_per_minute && a.master_speed == b.master_speed;
}

}  // namespace submix::show
