// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/slow_work.hpp"

#include <gtest/gtest.h>

#include <future>
#include <thread>
#include <vector>

namespace submix::agent {
namespace {

TEST(SlowWork, IsDoneOnAnotherThread) {
  SlowWork work;
  std::promise<std::thread::id> done;
  work.post(Chore::trace, [&](const auto&) { done.set_value(std::this_thread::get_id()); });
  EXPECT_NE(done.get_future().get(), std::this_thread::get_id());
}

TEST(SlowWork, KeepsTheNewestOfAKindOnly) {
  std::promise<void> begun;
  std::promise<void> may_end;
  std::promise<void> done;
  std::vector<int> did;
  SlowWork work;
  work.post(Chore::plugins, [&](const auto&) {
    begun.set_value();
    may_end.get_future().wait();
  });
  begun.get_future().wait();
  work.post(Chore::plugins, [&](const auto&) { did.push_back(1); });
  work.post(Chore::plugins, [&](const auto&) { did.push_back(2); });
  work.post(Chore::trace, [&](const auto&) { done.set_value(); });
  may_end.set_value();
  done.get_future().wait();
  EXPECT_EQ(did, std::vector{2});
}

TEST(SlowWork, IsNotDoneAnyMoreOnceItEnds) {
  std::promise<void> begun;
  bool is_trace_done = false;
  {
    SlowWork work;
    work.post(Chore::plugins, [&](const std::stop_token& stop) {
      begun.set_value();
      while (!stop.stop_requested())
        std::this_thread::yield();
    });
    begun.get_future().wait();
    work.post(Chore::trace, [&](const auto&) { is_trace_done = true; });
  }
  EXPECT_FALSE(is_trace_done);
}

}  // namespace
}  // namespace submix::agent
