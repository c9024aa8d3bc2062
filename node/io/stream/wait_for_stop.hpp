// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"

#include <stop_token>
#include <utility>

namespace submix::io {

/// Sleeps until asked to stop: what a slot does that no stream is connected to.
inline void wait_for_stop(std::stop_token stop) {
  Mutex mutex;
  Condition never;
  MutexLock lock(mutex);
  static_cast<void>(never.wait(mutex, std::move(stop), [] { return false; }));
}

}  // namespace submix::io
