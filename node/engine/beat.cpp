// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/beat.hpp"

#include <algorithm>
#include <chrono>

namespace submix::engine {
namespace {

// The difference of two moments would be inexact, and wrong where a beat is set between them.
double beats_a_second(const show::Tempo& tempo, std::chrono::nanoseconds time) {
  const auto of = [](const auto& pace) { return pace.beats_per_minute * pace.master_speed / 60; };
  if (time >= tempo.since || tempo.before.empty()) return of(tempo);
  const auto begun = std::find_if(tempo.before.rbegin(), tempo.before.rend(),
                                  [&](const auto& former) { return former.since <= time; });
  return of(begun == tempo.before.rend() ? tempo.before.front() : *begun);
}

}  // namespace

plugin::Beat beat_of(const show::Tempo& tempo, FrameRate rate, FrameIndex frame) {
  const auto moment = show::moment_of(tempo, rate, frame);
  return {moment.beats, beats_a_second(tempo, moment.time) / rate.frames_per_second()};
}

}  // namespace submix::engine
