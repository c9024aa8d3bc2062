// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/stoppable_sleep.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>

namespace submix {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

TEST(StoppableSleep, LastsUntilItsMoment) {
  const auto moment = steady_clock::now() + 5ms;
  sleep_until(moment, {});
  EXPECT_GE(steady_clock::now(), moment);
}

TEST(StoppableSleep, EndsWithAStop) {
  std::stop_source source;
  const std::jthread stopper([&source] { source.request_stop(); });
  const auto begin = steady_clock::now();
  sleep_until(begin + 60s, source.get_token());
  EXPECT_LT(steady_clock::now() - begin, 30s);
}

}  // namespace
}  // namespace submix
