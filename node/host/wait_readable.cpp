// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/wait_readable.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>

namespace submix::host {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLongestWait(50);

}  // namespace

bool wait_until_readable(int descriptor, std::chrono::steady_clock::time_point deadline,
                         const std::stop_token& stop) {
  pollfd readable{descriptor, POLLIN, 0};
  while (!stop.stop_requested()) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
    const auto glance = std::clamp(left, milliseconds(0), kLongestWait);
    const int ready = ::poll(&readable, 1, static_cast<int>(glance.count()));
    if (ready > 0) return true;
    if ((ready < 0 && errno != EINTR) || left.count() <= 0) return false;
  }
  return false;
}

}  // namespace submix::host
