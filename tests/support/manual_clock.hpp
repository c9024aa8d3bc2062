// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <atomic>
#include <chrono>

namespace submix::testing {

/// A clock that a test moves by hand. Synchronized.
class ManualClock final : public Clock {
 public:
  [[nodiscard]] LocalTime now() const override {
    return LocalTime(std::chrono::nanoseconds(now_ns_.load()));
  }
  void advance(std::chrono::nanoseconds by) { now_ns_ += by.count(); }

 private:
  std::atomic<std::int64_t> now_ns_{1'000'000'000};
};

}  // namespace submix::testing
