// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <chrono>
#include <optional>

namespace submix::input {

/// Combines the two halves of a 14-bit controller to one value, in either order.
///
/// Order    MIDI 1.0 sends the coarse half first, and sends it alone if the fine half is 0. So
///          after the first fine half, each coarse half waits kPairTime for its fine half. Some
///          devices begin a movement with the fine half; then the fine half waits.
/// Threads  Compatible.
class FinePair {
 public:
  static constexpr std::chrono::milliseconds kPairTime{80};

  /// The value, 0 to 16383, if this half completes one.
  [[nodiscard]] std::optional<int> coarse(int value, LocalTime now);
  [[nodiscard]] std::optional<int> fine(int value, LocalTime now);
  /// The value of a half that has waited long enough for the other half.
  [[nodiscard]] std::optional<int> due(LocalTime now);

 private:
  enum class Half { none, coarse, fine };

  [[nodiscard]] std::optional<int> complete();
  [[nodiscard]] bool begins(LocalTime now) const { return !is_known_ || now - last_ > kPairTime; }
  void note(LocalTime now);

  int coarse_ = 0;
  int fine_ = 0;
  bool is_known_ = false;  // a half was received
  bool has_coarse_ = false;
  bool has_fine_ = false;
  bool is_fine_first_ = false;
  bool has_begun_with_fine_ = false;  // of this movement
  Half waiting_ = Half::none;
  LocalTime last_{};
};

}  // namespace submix::input
