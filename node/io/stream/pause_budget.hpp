// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace submix::io {

/// Whether an input waits for its performer, and for how long yet.
///
/// A frame may be waited for as long as it lasts. What it takes longer holds the show up: that is a debt, and
/// frames that come sooner pay it off. Where debt and wait together reach the pause budget the input is
/// detached: it takes frames that are there, and else something stands in. Once a second's frames have come
/// without a stand-in, and some more, since frames may have backed up, it is attached again. One that is
/// detached again within the next minute needs twice as many each time, a minute's at most.
///
/// Compatible; no clock of its own: each wait is told.
class PauseBudget {
 public:
  /// `backlog`: frames that may have backed up while nobody took them.
  PauseBudget(FrameRate rate, std::size_t backlog);

  [[nodiscard]] bool is_attached() const { return is_attached_; }
  /// How much longer a frame may be waited for; 0 or less: no longer.
  [[nodiscard]] std::chrono::nanoseconds left(std::chrono::nanoseconds budget,
                                              std::chrono::nanoseconds waited) const {
    return budget - debt_ - waited;
  }
  /// A frame came after a wait. True: it is attached again thereby.
  bool take(std::chrono::nanoseconds waited);
  /// Something stands in for a frame that did not come within a wait. True: it is detached thereby.
  bool replace(std::chrono::nanoseconds waited);
  /// It is as if it had never been late.
  void forgive();

  /// By how much the frames before the one that is waited for were late, those that came sooner set off.
  [[nodiscard]] std::chrono::nanoseconds debt() const { return debt_; }
  /// Of the show's time, since the last frame came.
  [[nodiscard]] std::chrono::nanoseconds silence() const { return silence_; }
  /// Frames that something stood in for, since it was detached last.
  [[nodiscard]] std::uint64_t replaced() const { return replaced_; }

 private:
  const std::chrono::nanoseconds period_;
  const std::uint64_t to_return_least_;  // frames
  const std::uint64_t to_return_most_;
  std::chrono::nanoseconds debt_{0};
  std::chrono::nanoseconds silence_{0};
  std::uint64_t to_return_;
  std::uint64_t in_row_;  // taken since it was attached, or since something stood in
  std::uint64_t replaced_ = 0;
  bool is_attached_ = true;
};

}  // namespace submix::io
