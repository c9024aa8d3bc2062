// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/stop_signal.hpp"

#include <csignal>
#include <ctime>

namespace submix {
namespace {

bool is_ignored(int signal) {
  struct sigaction action{};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t stop_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGINT);
  ::sigaddset(&signals, SIGTERM);
  if (!is_ignored(SIGHUP)) ::sigaddset(&signals, SIGHUP);  // nohup ignores SIGHUP
  return signals;
}

}  // namespace

StopSignal::StopSignal() {
  const auto signals = stop_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

std::optional<int> StopSignal::wait_for(std::chrono::milliseconds patience) {
  if (received_) return received_;
  const auto signals = stop_signals();
  const timespec limit{patience.count() / 1000, (patience.count() % 1000) * 1'000'000};
  const int signal = ::sigtimedwait(&signals, nullptr, &limit);
  if (signal > 0) received_ = signal;
  return received_;
}

}  // namespace submix
