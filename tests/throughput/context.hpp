// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/stop_signal.hpp"

#include <chrono>
#include <optional>

namespace submix::throughput {

// Exit statuses of a command. A command ended by a signal returns 128 + the signal's number.
inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUse = 2;

/// The arguments of every command. Confined (main).
struct Context {
  StopSignal& stop;
  bool is_json = false;

  /// Fails after Ctrl-C or SIGTERM, so that the command cleans up on its way out.
  [[nodiscard]] Result<void> go_on() {
    if (!signal) signal = stop.wait_for(std::chrono::milliseconds(0));
    if (signal) return fail("stopped by a signal");
    return {};
  }
  std::optional<int> signal{};
};

/// Prints the error on stderr and returns the exit status.
int failed(const Context& context, const Error& error);

}  // namespace submix::throughput
