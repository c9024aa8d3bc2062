// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <array>
#include <chrono>
#include <cstddef>

namespace submix::host {

inline constexpr std::size_t kCrashesMax = 3;
inline constexpr std::chrono::seconds kCrashPeriod{10};

/// Counts a plugin's recent failures and says when they are too many. Compatible. The caller passes
/// the time.
class CrashRecord {
 public:
  /// Records a failure at `now`. Returns the number of failures within the last kCrashPeriod, this
  /// failure included. kCrashesMax is too many.
  std::size_t add(LocalTime now);
  void forget() { count_ = 0; }

 private:
  std::array<LocalTime, kCrashesMax> times_{};  // the latest `count_` failures, in order
  std::size_t count_ = 0;
};

}  // namespace submix::host
