// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <thread>

namespace submix::input {

/// Polls until the condition holds or the deadline passes. For effects of other programs that
/// report nothing.
template <typename Condition>
[[nodiscard]] bool comes_true(Condition holds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace submix::input
