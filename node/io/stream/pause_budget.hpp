// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace submix::io {

/// Decides how long an input waits for its performer.
///
/// An input may wait for each frame as long as one frame lasts. A longer wait holds the show up and
/// becomes a debt, which early frames pay off. When the debt and the present wait reach the pause
/// budget, the input is detached: it takes frames that have arrived, and shows a stand-in
/// otherwise.
///
/// A detached input is attached again when the frames of a second have come without a stand-in, and
/// as many more as may have backed up. Each time it is detached again within a minute, it needs
/// twice as many frames, at most those of a minute.
///
/// Compatible. The caller passes each wait.
class PauseBudget {
 public:
  /// `backlog`: frames that may have backed up while nobody took them.
  PauseBudget(FrameRate rate, std::size_t backlog);

  [[nodiscard]] bool is_attached() const { return is_attached_; }
  /// How much longer the input may wait for a frame; 0 or less: no longer.
  [[nodiscard]] std::chrono::nanoseconds left(std::chrono::nanoseconds budget,
                                              std::chrono::nanoseconds waited) const {
    return budget - debt_ - waited;
  }
  /// A frame came after a wait. True: the input is attached again.
  bool take(std::chrono::nanoseconds waited);
  /// A stand-in replaced a frame that did not come within a wait. True: the input is detached.
  bool replace(std::chrono::nanoseconds waited);
  /// Forgets all lateness.
  void forgive();

  /// The lateness of the frames so far, less the time that early frames saved.
  [[nodiscard]] std::chrono::nanoseconds debt() const { return debt_; }
  /// The show's time since the last frame came.
  [[nodiscard]] std::chrono::nanoseconds silence() const { return silence_; }
  /// Frames replaced by a stand-in since the last detachment.
  [[nodiscard]] std::uint64_t replaced() const { return replaced_; }

 private:
  const std::chrono::nanoseconds period_;
  const std::uint64_t to_return_least_;  // frames
  const std::uint64_t to_return_most_;
  std::chrono::nanoseconds debt_{0};
  std::chrono::nanoseconds silence_{0};
  std::uint64_t to_return_;
  std::uint64_t in_row_;  // frames taken since the input was attached, or since a stand-in
  std::uint64_t replaced_ = 0;
  bool is_attached_ = true;
};

}  // namespace submix::io
