// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/stoppable_sleep.hpp"

#include "common/base/mutex.hpp"

namespace submix {

void sleep_until(std::chrono::steady_clock::time_point moment, const std::stop_token& stop) {
  Mutex mutex;
  Condition never;
  const MutexLock lock(mutex);
  static_cast<void>(never.wait_until(mutex, stop, moment, [] { return false; }));
}

}  // namespace submix
