// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace submix::stream {

/// Decides whether one receiver of a shared output may hold back that output and its other
/// receivers.
///
/// An attached receiver may: each frame waits until the receiver has taken it. A receiver that
/// holds back the others for its whole pause budget, without a break, is detached. Frames do not
/// wait for a detached receiver: it misses a frame that it has not taken when the next frame comes.
/// A detached receiver is attached again when it has taken `frames_to_return` frames in a row.
///
/// Threads  Compatible. Time is passed in.
class Attachment {
 public:
  explicit Attachment(std::uint64_t frames_to_return) : frames_to_return_(frames_to_return) {}

  [[nodiscard]] bool is_attached() const { return is_attached_; }

  /// The receiver has taken a frame. Returns true if this attached it again.
  bool take();
  /// Resets the receiver to the attached state, with no history.
  void attach();
  /// A frame has passed the receiver by.
  void miss() { taken_in_row_ = 0; }
  /// The receiver has not taken the frame yet. `do_others_wait`: another receiver waits for it.
  /// Returns true if this detached the receiver.
  bool delay(bool do_others_wait, LocalTime now, std::chrono::nanoseconds pause_budget);

 private:
  std::uint64_t frames_to_return_;
  bool is_attached_ = true;
  std::uint64_t taken_in_row_ = 0;
  std::optional<LocalTime> waited_for_since_;
};

}  // namespace submix::stream
