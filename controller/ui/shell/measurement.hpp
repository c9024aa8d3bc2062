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

/// `submix-controller --measure`: how quick the window is, in phases of equal length.
///
/// Threads  Confined (ui): it counts what the calling thread allocates.
class Measurement {
 public:
  enum class Phase {
    waiting,  ///< for the cluster and for what is made once
    usual,    ///< as the window is while nobody touches it
    touched,  ///< as it is while somebody moves the mouse
    fast,     ///< one frame after the other, with the cluster's news
    still,    ///< the same, but the view stays the same: what a frame does that tells nothing new
    over,
  };

  explicit Measurement(std::chrono::seconds length) : length_(length) {}

  /// To be called in each turn of the loop. Each phase begins with a new `meter`.
  [[nodiscard]] Phase advance(LocalTime now, FrameMeter& meter);
  [[nodiscard]] bool is_view_frozen() const { return phase_ == Phase::still; }
  /// Draw as while somebody is at it.
  [[nodiscard]] bool is_touched() const {
    return phase_ != Phase::waiting && phase_ != Phase::usual;
  }
  /// Draw without a pause.
  [[nodiscard]] bool is_hurried() const { return phase_ == Phase::fast || phase_ == Phase::still; }
  /// Once it is over.
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
