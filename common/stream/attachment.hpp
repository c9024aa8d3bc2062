// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace submix::stream {

/// Whether a receiver holds back the output that feeds it and others.
///
/// An attached one does: each frame waits until it is taken. Once it has held others back for its pause
/// budget without a break it is detached: frames then pass it by where it does not take them before the next
/// one comes. Having taken `frames_to_return` in a row it is attached again.
///
/// Threads  Compatible. Time is passed in.
class Attachment {
 public:
  explicit Attachment(std::uint64_t frames_to_return) : frames_to_return_(frames_to_return) {}

  [[nodiscard]] bool is_attached() const { return is_attached_; }

  /// It took a frame. True: it is attached again thereby.
  bool take();
  /// It is as if it had never been detached.
  void attach();
  /// A frame passed it by.
  void miss() { taken_in_row_ = 0; }
  /// It has not taken the frame; `do_others_wait` for it. True: it is detached thereby.
  bool delay(bool do_others_wait, LocalTime now, std::chrono::nanoseconds pause_budget);

 private:
  std::uint64_t frames_to_return_;
  bool is_attached_ = true;
  std::uint64_t taken_in_row_ = 0;
  std::optional<LocalTime> waited_for_since_;
};

}  // namespace submix::stream
