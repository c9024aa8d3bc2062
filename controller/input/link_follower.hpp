// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <optional>

namespace submix::input {

/// Keeps the tempos of the show and of Link equal. The last change on either side wins. If the show
/// cannot be changed now, Link keeps its own tempo.
///
/// Threads  Compatible.
class LinkFollower {
 public:
  static constexpr std::chrono::milliseconds kSeenTime{400};

  struct TempoChange {
    std::optional<double> show{};  ///< new tempo of the show
    std::optional<double> link{};
  };
  /// At the start the show leads. When a Link session with members is joined, that session leads.
  [[nodiscard]] TempoChange follow(double show, double link, LocalTime now);
  void stop() { show_seen_.reset(); }

  /// The beats of both sides at the same moment.
  struct Beats {
    double show = 0;
    double link = 0;
    bool has_peers = false;  ///< Link has other members
  };
  struct BeatChange {
    std::optional<double> show_shift{};  ///< beats to be added to the show's
    std::optional<double> link{};        ///< new beat of Link
  };
  /// Keeps the places in the bar equal; to be called while both tempos are equal. Other members of
  /// the Link session lead. Without others the show leads.
  [[nodiscard]] BeatChange follow_beat(const Beats& beats, LocalTime now);

 private:
  double known_ = 0;                 // present or ordered tempo of both
  std::optional<double> show_seen_;  // empty: at the start
  LocalTime beat_ordered_{};
  LocalTime ordered_{};  // time of the last change of the show, which becomes visible later
};

}  // namespace submix::input
