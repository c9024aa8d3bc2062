// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace submix::host {

/// Sleeps while `word` is `value`, at most until `deadline` (empty: no limit). May return early, so
/// the caller checks again.
void wait_while(const std::atomic<std::uint32_t>& word, std::uint32_t value,
                std::optional<std::chrono::steady_clock::time_point> deadline);

/// Wakes every waiter on `word`, in any process.
void wake(const std::atomic<std::uint32_t>& word);

}  // namespace submix::host
