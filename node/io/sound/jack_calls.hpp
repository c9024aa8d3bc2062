// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

/// Calls of libjack, which wait without a limit for a server that hangs. Each call runs on a thread
/// of its own, which is left behind where the call does not return in time.
///
/// Threads  Synchronized. Calls run one at a time, in all of this process.
namespace submix::io {

/// Runs `call` on a thread of its own, and destroys it there.
///
/// Cost     Waits up to `patience` in total, for its turn and for the end of `call`; less after a
///          stop.
/// Errors   The server gives no answer; stopped. A call without a turn is not run.
[[nodiscard]] Result<void> call_jack(std::function<void()> call, const std::stop_token& stop,
                                     std::chrono::milliseconds patience);

/// The same for a call with an answer. `question` must not refer to its caller's variables.
template <typename Answer>
[[nodiscard]] Result<Answer> ask_jack(std::function<Result<Answer>()> question,
                                      const std::stop_token& stop,
                                      std::chrono::milliseconds patience) {
  const auto answer = std::make_shared<std::optional<Result<Answer>>>();
  auto call = [answer, question = std::move(question)] { answer->emplace(question()); };
  SUBMIX_TRY(call_jack(std::move(call), stop, patience));
  return *std::move(*answer);
}

/// Destroys `object`, whose destructor calls libjack, sooner or later. Waits up to `patience`.
void destroy_by_jack(std::shared_ptr<void> object, std::chrono::milliseconds patience);

}  // namespace submix::io
