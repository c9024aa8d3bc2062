// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <optional>

namespace submix::input {

/// Keeps the show's tempo and Link's the same: who changes it last leads. A show that cannot be changed now
/// does not hold others back.
///
/// Threads  Compatible.
class LinkFollower {
 public:
  static constexpr std::chrono::milliseconds kSeenTime{400};

  struct Change {
    std::optional<double> show{};  ///< what the show's tempo is to be
    std::optional<double> link{};
  };
  /// At the start the show leads; a session of Link's that is joined then does.
  [[nodiscard]] Change follow(double show, double link, LocalTime now);
  void stop() { show_seen_.reset(); }

 private:
  double known_ = 0;                 // what both have, or are about to
  std::optional<double> show_seen_;  // empty: at the start
  LocalTime ordered_{};              // a change of the show, which is seen some time later
};

}  // namespace submix::input
