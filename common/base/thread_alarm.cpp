// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/thread_alarm.hpp"

#include "common/base/log.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace submix {
namespace {

// A signal that comes just before a system call interrupts nothing: there must be another.
constexpr std::chrono::milliseconds kPeriod(50);

int alarm_signal() {
  static const int number = [] {
    struct sigaction action{};
    action.sa_handler = [](int) {};  // without SA_RESTART
    ::sigaction(SIGRTMIN + 4, &action, nullptr);
    return SIGRTMIN + 4;
  }();
  return number;
}

::timespec to_timespec(std::chrono::milliseconds time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return {seconds.count(), std::chrono::nanoseconds(time - seconds).count()};
}

}  // namespace

ThreadAlarm::ThreadAlarm(std::chrono::milliseconds patience)
    : deadline_(std::chrono::steady_clock::now() + patience) {
  ::sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = alarm_signal();
  event._sigev_un._tid = ::gettid();  // glibc 2.36 has no name for it
  is_set_ = ::timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
  const ::itimerspec times{to_timespec(kPeriod),
                           to_timespec(std::max(patience, std::chrono::milliseconds(1)))};
  if (is_set_)
    ::timer_settime(timer_, 0, &times, nullptr);
  else
    log::warning("a wait has no limit: no timer: {}", std::strerror(errno));
}

ThreadAlarm::~ThreadAlarm() {
  if (is_set_) ::timer_delete(timer_);
}

}  // namespace submix
