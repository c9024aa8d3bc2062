// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/music_follower.hpp"

#include <algorithm>
#include <cmath>

namespace submix::input {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr double kSameShowTempo = 0.005;
constexpr double kNearTempo = 0.01;    // shares of a tempo, from here on
constexpr double kGreatChange = 0.08;  // a DJ's pitch fader has as much
constexpr double kAgreement = 0.04;    // of a hand that taps
constexpr double kNearTwoThirds = 0.02;
constexpr double kBeatTolerance = 0.1;  // beats: 47 ms at 128 beats a minute

constexpr seconds kSteadyTime{3};
constexpr seconds kSteadyTimeOfGreatChange{6};
constexpr seconds kSteadyTimeOfTwoThirds{20};
constexpr seconds kChangePause{4};
constexpr seconds kOtherHandPause{8};
constexpr milliseconds kBeatAgeMax{3000};  // older: the node is silent

double distance(double a, double b) {
  return std::abs(a / b - 1.0);
}

// `tempo`, its half or its double: the nearest to `present`.
double folded(double tempo, double present) {
  const auto octaves = std::round(std::log2(present / tempo));
  const double near = tempo * std::exp2(std::clamp(octaves, -1.0, 1.0));
  return near < show::kBeatsPerMinuteMin || near > show::kBeatsPerMinuteMax ? tempo : near;
}

// What a node says may be old, or no tempo that a show can have.
bool is_believable(const HeardTempo& heard, std::chrono::nanoseconds now) {
  return heard.beats_per_minute >= show::kBeatsPerMinuteMin &&
         heard.beats_per_minute <= show::kBeatsPerMinuteMax &&
         heard.last_beat > now - kBeatAgeMax && heard.last_beat < now + kBeatAgeMax;
}

// Whether a tempo has three beats for two of the present one, or two for three. Folded, these are
// four for three, or three for four.
bool is_two_thirds(double tempo, double present) {
  return distance(tempo, present * 4.0 / 3.0) <= kNearTwoThirds ||
         distance(tempo, present * 3.0 / 4.0) <= kNearTwoThirds;
}

// Beats to be added to the show's, so that one falls on each heard beat. A show at half the heard
// tempo has beats on each second one.
double shift_of(const HeardTempo& heard, double tempo, double show_beats, double age_s) {
  const double heard_beats = age_s * tempo / 60.0;  // since a heard one
  const double apart = std::min(1.0, tempo / heard.beats_per_minute);
  return std::remainder(heard_beats - show_beats, apart);
}

}  // namespace

MusicFollower::Change MusicFollower::follow(const HeardTempo& heard, const show::Tempo& show,
                                            Moment now) {
  notice_other_hands(show.beats_per_minute, now.local);
  if (!is_believable(heard, now.show)) {
    steady_.reset();
    state_ = State::unsure;
    return {};
  }
  notice_heard(heard.beats_per_minute, now.local);
  state_ = judged(heard.beats_per_minute, show.beats_per_minute, now.local);
  if (state_ != State::follows) return {};
  has_followed_ = true;
  if (now.local < ordered_at_ + kChangePause) return {};

  const double wanted = folded(heard.beats_per_minute, show.beats_per_minute);
  const double age_s = std::chrono::duration<double>(now.show - heard.last_beat).count();
  const double beats = show::moment_at(show, now.show).beats;
  const double shift = shift_of(heard, wanted, beats, age_s);
  const bool can_shift = show.master_speed == 1.0;  // at another speed no beats can agree
  const bool is_tempo_off = distance(wanted, show.beats_per_minute) > kNearTempo;
  const bool is_beat_off = can_shift && std::abs(shift) > kBeatTolerance;
  if (!is_tempo_off && !is_beat_off) return {};

  // One write has both: the beat would run away again at a tempo that is a little off.
  ordered_at_ = now.local;
  ordered_ = std::round(wanted * 10.0) / 10.0;
  Change change{.tempo = ordered_};
  if (can_shift) change.beat_shift = shift;
  return change;
}

void MusicFollower::notice_other_hands(double show_tempo, LocalTime now) {
  const auto is_same = [&](double tempo) { return std::abs(show_tempo - tempo) <= kSameShowTempo; };
  const bool is_new = show_seen_ && !is_same(*show_seen_);
  show_seen_ = show_tempo;
  if (!is_new || (ordered_ && is_same(*ordered_))) return;
  other_hand_ = now;
  overruled_.reset();
}

void MusicFollower::notice_heard(double beats_per_minute, LocalTime now) {
  if (!steady_ || distance(beats_per_minute, steady_->beats_per_minute) > kNearTempo)
    steady_ = Steady{beats_per_minute, now};
}

MusicFollower::State MusicFollower::judged(double heard, double show_tempo, LocalTime now) {
  if (other_hand_ && now < *other_hand_ + kOtherHandPause) return State::waits;
  if (overruled_ && distance(folded(heard, *overruled_), *overruled_) <= kAgreement)
    return State::overruled;
  const double wanted = folded(heard, show_tempo);
  if (!is_steady(wanted, show_tempo, now)) return State::waits;

  overruled_.reset();
  const bool is_other_hands = other_hand_.has_value();
  other_hand_.reset();
  if (!is_other_hands || distance(wanted, show_tempo) <= kAgreement) return State::follows;
  overruled_ = heard;
  return State::overruled;
}

bool MusicFollower::is_steady(double wanted, double show_tempo, LocalTime now) const {
  const auto passed = now - steady_->since;
  if (distance(wanted, show_tempo) <= kGreatChange) return passed >= kSteadyTime;
  const bool is_doubtful = has_followed_ && is_two_thirds(wanted, show_tempo);
  return passed >= (is_doubtful ? kSteadyTimeOfTwoThirds : kSteadyTimeOfGreatChange);
}

}  // namespace submix::input
