// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/heard_tempo.hpp"
#include "common/show/tempo.hpp"

#include <chrono>
#include <optional>

namespace submix::input {

/// Lets the show's tempo and beat follow the music that a node hears.
///
/// Sure     The listening node says whether a beat is sure. While none is, nothing changes.
/// Steady   A tempo is followed after 3 s within 1 %; one that is 8 % from the show's after 6 s. If
///          the show already follows, three beats for two, or two for three, need 20 s: trackers
///          err so.
/// Octaves  The heard tempo, its half or double is taken: the nearest to the show's.
/// Writes   A change at most every 4 s: a tempo that is 1 % off, a beat that is a tenth off.
/// People   A tempo by another hand rests the following for 8 s. Then the heard tempo is followed
///          if it is within 4 % of that hand's. Otherwise it is overruled until another is heard.
/// Threads  Compatible.
class MusicFollower {
 public:
  enum class State {
    unsure,  ///< no beat is sure
    waits,   ///< until the tempo is steady, or after another hand's tempo
    follows,
    overruled,  ///< another hand's tempo holds
  };
  struct Moment {
    LocalTime local{};
    std::chrono::nanoseconds show{0};  ///< the show's time at `local`
  };
  struct Change {
    std::optional<double> tempo{};       ///< new tempo of the show
    std::optional<double> beat_shift{};  ///< beats to be added to the show's, at the new tempo
  };
  [[nodiscard]] Change follow(const HeardTempo& heard, const show::Tempo& show, Moment now);
  [[nodiscard]] State state() const { return state_; }
  /// Forgets everything: follow() begins anew.
  void stop() { *this = {}; }

 private:
  struct Steady {
    double beats_per_minute = 0.0;
    LocalTime since{};
  };

  void notice_other_hands(double show_tempo, LocalTime now);
  void notice_heard(double beats_per_minute, LocalTime now);
  [[nodiscard]] State judged(double heard, double show_tempo, LocalTime now);
  [[nodiscard]] bool is_steady(double wanted, double show_tempo, LocalTime now) const;

  State state_ = State::unsure;
  std::optional<double> show_seen_;
  std::optional<double> ordered_;  // last; where the show has it, no other hand set it
  LocalTime ordered_at_{};
  std::optional<Steady> steady_;
  bool has_followed_ = false;            // since stop()
  std::optional<LocalTime> other_hand_;  // its tempo has not been judged yet
  std::optional<double> overruled_;
};

}  // namespace submix::input
