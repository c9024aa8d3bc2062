// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <chrono>
#include <functional>
#include <memory>

namespace submix::link {

/// Calls its function later, once.
///
/// Threads  Confined (net).
/// Cost     No allocation for set().
class Timer {
 public:
  virtual ~Timer() = default;
  /// In place of what was set before. A `pause` of zero: after what the thread is at. `keeper`, which lives
  /// until then, keeps this and what the function needs alive.
  virtual void set(std::chrono::nanoseconds pause, std::shared_ptr<void> keeper) = 0;
  virtual void cancel() = 0;
};

/// Makes the thread `net` call its function, from any thread, without allocating.
///
/// Threads  notify(): Synchronized. The rest: Confined (net).
class Wakeup {
 public:
  virtual ~Wakeup() = default;
  /// Several in a row may become one call.
  virtual void notify() = 0;
  /// From now on, until stop(); `keeper` lives until then.
  virtual void start(std::shared_ptr<void> keeper) = 0;
  virtual void stop() = 0;
};

/// The thread `net` as the state machines of streams know it: what time it is, and what they can have called
/// on it. Asio's in a node (AsioLoop); a simulated one in tests, whose time passes as fast as it is computed.
///
/// Threads  Confined (net); clock() and what it gives: Synchronized.
class Loop {
 public:
  virtual ~Loop() = default;
  [[nodiscard]] virtual const Clock& clock() const = 0;
  [[nodiscard]] virtual std::unique_ptr<Timer> make_timer(std::function<void()> on_time) = 0;
  /// Errors: throws std::runtime_error where there is no descriptor left.
  [[nodiscard]] virtual std::unique_ptr<Wakeup> make_wakeup(std::function<void()> look) = 0;
};

}  // namespace submix::link
