// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <array>
#include <chrono>
#include <cstddef>

namespace submix::host {

inline constexpr std::size_t kCrashesMax = 3;
inline constexpr std::chrono::seconds kCrashPeriod{10};

/// When a plugin failed of late, and whether that is too often. Compatible; no clock of its own.
class CrashRecord {
 public:
  /// Failed, at `now`: how often within the last kCrashPeriod, this time included; kCrashesMax is too often.
  std::size_t add(LocalTime now);
  void forget() { count_ = 0; }

 private:
  std::array<LocalTime, kCrashesMax> times_{};  // the latest `count_`, in order
  std::size_t count_ = 0;
};

}  // namespace submix::host
