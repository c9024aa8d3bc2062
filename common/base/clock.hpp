// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace submix {

/// This machine's monotonic time. Never compare it with another machine's.
using LocalTime = std::chrono::steady_clock::time_point;

/// The source of time. Passed in as a parameter, so tests do not sleep. Synchronized.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual LocalTime now() const = 0;
};

/// The machine's own monotonic clock. Synchronized.
class SteadyClock final : public Clock {
 public:
  [[nodiscard]] LocalTime now() const override { return std::chrono::steady_clock::now(); }
};

}  // namespace submix
