// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <optional>

namespace submix {

/// Waits for SIGINT, SIGTERM and (except under nohup) SIGHUP, in place of a signal handler. SIGPIPE
/// is ignored.
///
/// Threads  Construct it first in main(), before any thread starts: threads inherit the blocked
///          signals.
class StopSignal {
 public:
  StopSignal();
  /// The signal, once received; empty after `patience`.
  [[nodiscard]] std::optional<int> wait_for(std::chrono::milliseconds patience);

 private:
  std::optional<int> received_;
};

}  // namespace submix
