// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <chrono>
#include <functional>
#include <memory>

namespace submix::link {

/// Calls its function once, after a pause.
///
/// Threads  Confined (net).
/// Cost     set() does not allocate.
class Timer {
 public:
  virtual ~Timer() = default;
  /// Replaces an earlier set(). With a `pause` of zero the call comes after the present handler.
  /// `keeper` is held until the call; it keeps this timer and the function's objects alive.
  virtual void set(std::chrono::nanoseconds pause, std::shared_ptr<void> keeper) = 0;
  virtual void cancel() = 0;
};

/// Makes the thread `net` call its function. Any thread can ask for it, without allocation.
///
/// Threads  notify(): Synchronized. The rest: Confined (net).
class Wakeup {
 public:
  virtual ~Wakeup() = default;
  /// Several calls in a row may become a single call of the function.
  virtual void notify() = 0;
  /// Active from now on until stop(), which releases `keeper`.
  virtual void start(std::shared_ptr<void> keeper) = 0;
  virtual void stop() = 0;
};

/// The thread `net` as the state machines of streams see it: a clock, timers and wakeups. A node
/// uses Asio (AsioLoop). Tests use a simulated loop, whose time passes as fast as it can be
/// computed.
///
/// Threads  Confined (net); clock() and the returned clock: Synchronized.
class Loop {
 public:
  virtual ~Loop() = default;
  [[nodiscard]] virtual const Clock& clock() const = 0;
  [[nodiscard]] virtual std::unique_ptr<Timer> make_timer(std::function<void()> on_time) = 0;
  /// Errors   Throws std::runtime_error when no file descriptor is free.
  [[nodiscard]] virtual std::unique_ptr<Wakeup> make_wakeup(std::function<void()> look) = 0;
};

}  // namespace submix::link
