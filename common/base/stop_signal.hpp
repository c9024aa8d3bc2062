// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <optional>

namespace submix {

/// SIGINT, SIGTERM and (except under nohup) SIGHUP as something to wait for instead of a handler; SIGPIPE is
/// ignored.
///
/// Threads  Make it first in main(), before any thread starts: the others inherit the blocked signals.
class StopSignal {
 public:
  StopSignal();
  /// The signal, once it has come; empty after `patience`.
  [[nodiscard]] std::optional<int> wait_for(std::chrono::milliseconds patience);

 private:
  std::optional<int> received_;
};

}  // namespace submix
