// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <future>

namespace submix {

/// Whether a result waits to be taken. False also without a task.
template <typename Value>
[[nodiscard]] bool is_ready(const std::future<Value>& future) {
  return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace submix
