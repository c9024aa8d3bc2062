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
/// Sure     The listening node says whether a beat is sure. Without a sure beat nothing changes.
/// Steady   A heard tempo is followed after it has stayed within 1 % for 3 s, or for 6 s if it
///          differs from the show's by more than 8 %. Once the show follows, a change by 3:2 or 2:3
///          needs 20 s: such changes are usual errors of beat trackers.
/// Octaves  Of the heard tempo, its half and its double, the nearest to the show's tempo is taken.
/// Writes   At most every 4 s: a tempo that is 1 % off, or a beat that is a tenth off.
/// People   A tempo that somebody sets stops the following for 8 s. Then the heard tempo is
///          followed if it is within 4 % of the set tempo. Otherwise the set tempo holds until
///          another tempo is heard.
/// Threads  Compatible.
class MusicFollower {
 public:
  enum class State {
    unsure,  ///< no beat is sure
    waits,   ///< until the tempo is steady, or after somebody has set a tempo
    follows,
    overruled,  ///< the tempo that somebody has set holds
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
  std::optional<double> ordered_;  // by this follower, last; somebody has set any other tempo
  LocalTime ordered_at_{};
  std::optional<Steady> steady_;
  bool has_followed_ = false;            // since stop()
  std::optional<LocalTime> other_hand_;  // when somebody set a tempo that is not judged yet
  std::optional<double> overruled_;
};

}  // namespace submix::input
