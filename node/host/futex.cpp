// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace submix::host {
namespace {

const std::uint32_t* address(const std::atomic<std::uint32_t>& word) {
  return reinterpret_cast<const std::uint32_t*>(&word);
}

timespec as_timespec(std::chrono::steady_clock::time_point time) {
  const auto since = time.time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since);
  return {seconds.count(), std::chrono::nanoseconds(since - seconds).count()};
}

}  // namespace

// FUTEX_WAIT_BITSET, unlike FUTEX_WAIT, takes an absolute time on the clock of
// std::chrono::steady_clock.
void wait_while(const std::atomic<std::uint32_t>& word, std::uint32_t value,
                std::optional<std::chrono::steady_clock::time_point> deadline) {
  timespec until{};
  if (deadline) until = as_timespec(*deadline);
  ::syscall(SYS_futex, address(word), FUTEX_WAIT_BITSET, value, deadline ? &until : nullptr,
            nullptr, FUTEX_BITSET_MATCH_ANY);
}

void wake(const std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, address(word), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace submix::host
