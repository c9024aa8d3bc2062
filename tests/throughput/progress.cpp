// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace submix::throughput {

using Clock = std::chrono::steady_clock;

Progress::Progress(std::size_t steps) : steps_(steps), is_terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (is_terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::begin_step(const std::string& what) {
  ++step_;
  what_ = what;
  began_ = Clock::now();
  if (is_terminal_) return draw();
  fmt::print(stderr, "{} of {}: {}\n", step_, steps_, what_);
}

void Progress::tick() {
  constexpr std::chrono::milliseconds kPause{250};
  if (is_terminal_ && Clock::now() - drawn_ > kPause) draw();
}

void Progress::draw() {
  drawn_ = Clock::now();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(drawn_ - began_).count();
  fmt::print(stderr, "\r\033[K{} of {}: {}, {} s", step_, steps_, what_, seconds);
  std::fflush(stderr);
}

}  // namespace submix::throughput
