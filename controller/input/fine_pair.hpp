// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <chrono>
#include <optional>

namespace submix::input {

/// Makes one value of the two halves of a 14-bit controller, whichever of them a device sends first.
///
/// Order    MIDI 1.0 sends the coarse half first, and alone where the fine one is 0. So a coarse half waits
///          kPairTime for its fine one, once one was ever seen. A device that begins a movement with the fine
///          half is taken to send that first, and then the fine half waits.
/// Threads  Compatible.
class FinePair {
 public:
  static constexpr std::chrono::milliseconds kPairTime{80};

  /// The value, 0 to 16383, that is complete with this half.
  [[nodiscard]] std::optional<int> coarse(int value, LocalTime now);
  [[nodiscard]] std::optional<int> fine(int value, LocalTime now);
  /// That of a half which has waited long enough for the other.
  [[nodiscard]] std::optional<int> due(LocalTime now);

 private:
  enum class Half { none, coarse, fine };

  [[nodiscard]] std::optional<int> complete();
  [[nodiscard]] bool begins(LocalTime now) const { return !is_known_ || now - last_ > kPairTime; }
  void note(LocalTime now);

  int coarse_ = 0;
  int fine_ = 0;
  bool is_known_ = false;  // a half was heard
  bool has_coarse_ = false;
  bool has_fine_ = false;
  bool is_fine_first_ = false;
  bool has_begun_with_fine_ = false;  // this movement
  Half waiting_ = Half::none;
  LocalTime last_{};
};

}  // namespace submix::input
