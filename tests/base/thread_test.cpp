// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/thread.hpp"

#include "tests/support/busy_core.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <thread>

namespace submix {
namespace {

using namespace std::chrono_literals;

TEST(Thread, KnowsHowLongItWasReadyToRunButHadNoCore) {
  const testing::BusyCore busy;
  auto waited = 0ns;
  std::thread([&] {
    ASSERT_TRUE(busy.admit(::gettid()));
    const auto before = thread_run_delay();
    while (thread_cpu_time() < 50ms) {
    }
    waited = thread_run_delay() - before;
  }).join();
  // Both threads share the core; a kernel's tick takes 10 ms at most.
  EXPECT_GT(waited, 5ms);
}

}  // namespace
}  // namespace submix
