// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace submix::throughput {

using Clock = std::chrono::steady_clock;

Progress::Progress(std::size_t steps)
    : steps_(steps), is_terminal_(::isatty(STDERR_FILENO) == 1), start_(Clock::now()) {}

Progress::~Progress() {
  if (is_terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::begin_step(const std::string& what) {
  ++step_;
  what_ = what;
  began_ = Clock::now();
  if (is_terminal_) return draw();
  fmt::print(stderr, "{} of {}: {}{}\n", step_, steps_, what_, time_left());
}

void Progress::tick() {
  constexpr std::chrono::milliseconds kPause{250};
  if (is_terminal_ && Clock::now() - drawn_ > kPause) draw();
}

void Progress::draw() {
  drawn_ = Clock::now();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(drawn_ - began_).count();
  fmt::print(stderr, "\r\033[K{} of {}: {}, {} s{}", step_, steps_, what_, seconds, time_left());
  std::fflush(stderr);
}

// An estimate from the time of the earlier steps.
std::string Progress::time_left() const {
  constexpr double kMinute = 60;
  if (step_ < 2) return {};
  const double taken = std::chrono::duration<double>(began_ - start_).count();
  const double left =
      taken / static_cast<double>(step_ - 1) * static_cast<double>(steps_ - step_ + 1);
  if (left < kMinute) return {};
  return fmt::format(" (about {:.0f} min left)", left / kMinute);
}

}  // namespace submix::throughput
