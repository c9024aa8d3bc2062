// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/ui/shell/responsiveness.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace submix::ui {

/// `submix-controller --measure`: measures the window's speed, in phases of equal length.
///
/// Threads  Confined (ui): it counts the allocations of the calling thread.
class Measurement {
 public:
  enum class Phase {
    waiting,  ///< until the cluster is there and first-time work is done
    usual,    ///< nobody touches the window
    touched,  ///< somebody moves the mouse
    fast,     ///< frame after frame without a pause, with news of the cluster
    still,    ///< as `fast` with a frozen view: the cost of a frame without news
    over,
  };

  explicit Measurement(std::chrono::seconds length) : length_(length) {}

  /// Call it in each turn of the loop. Each phase begins with an empty `meter`.
  [[nodiscard]] Phase advance(LocalTime now, FrameMeter& meter);
  [[nodiscard]] bool is_view_frozen() const { return phase_ == Phase::still; }
  /// Draw as if somebody used the window.
  [[nodiscard]] bool is_touched() const {
    return phase_ != Phase::waiting && phase_ != Phase::usual;
  }
  /// Draw without a pause.
  [[nodiscard]] bool is_hurried() const { return phase_ == Phase::fast || phase_ == Phase::still; }
  /// The results, once all phases are over.
  [[nodiscard]] std::string json() const;

 private:
  struct Result {
    FrameMeter meter;
    double seconds = 0;
    std::uint64_t allocations = 0;
  };

  void begin(Phase phase, LocalTime now, FrameMeter& meter);

  const std::chrono::seconds length_;
  Phase phase_ = Phase::waiting;
  LocalTime began_{};
  bool has_begun_ = false;
  std::uint64_t allocations_ = 0;
  std::array<Result, 4> results_;  // usual, touched, fast, still
};

}  // namespace submix::ui
