// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/stop_signal.hpp"

#include <chrono>
#include <optional>

namespace submix::throughput {

// What a command's exit status says; one ended by a signal gives 128 + its number.
inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUse = 2;

/// What every command is given. Confined (main).
struct Context {
  StopSignal& stop;
  bool is_json = false;

  /// Fails once Ctrl-C or SIGTERM has come, so that all that was made is taken down on the way out.
  [[nodiscard]] Result<void> go_on() {
    if (!signal) signal = stop.wait_for(std::chrono::milliseconds(0));
    if (signal) return fail("stopped by a signal");
    return {};
  }
  std::optional<int> signal{};
};

/// Says on stderr what failed. Gives the exit status.
int failed(const Context& context, const Error& error);

}  // namespace submix::throughput
