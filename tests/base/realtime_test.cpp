// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/realtime.hpp"

#include "common/base/thread.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <semaphore>
#include <string>

namespace submix {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Scheduling {
  int policy = -1;
  int priority = -1;

  friend bool operator==(const Scheduling&, const Scheduling&) = default;
};

constexpr Scheduling kOrdinary{SCHED_OTHER, 0};
constexpr Scheduling kStage{SCHED_RR | SCHED_RESET_ON_FORK, kRealtimeStagePriority};
constexpr Scheduling kNet{SCHED_RR | SCHED_RESET_ON_FORK, kRealtimeNetPriority};

Scheduling scheduling_of_this_thread() {
  sched_param parameters{};
  ::sched_getparam(0, &parameters);
  return {::sched_getscheduler(0), parameters.sched_priority};
}

Scheduling scheduling_of_a_thread(Urgency urgency) {
  Scheduling found;
  start_thread("test", [&](const std::stop_token&) { found = scheduling_of_this_thread(); }, urgency).join();
  return found;
}

/// What `body` returns in a child without any right; the test's own process keeps its rights.
std::string without_rights(const std::function<std::string()>& body) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return "no pipe";
  const auto child = ::fork();
  if (child == 0) {
    const rlimit none{};
    const rlimit little{65536, 65536};
    ::setrlimit(RLIMIT_RTPRIO, &none);
    ::setrlimit(RLIMIT_MEMLOCK, &little);
    if (::getuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) ::_exit(1);
    const auto text = body();
    const auto written = ::write(ends[1], text.data(), text.size());
    ::_exit(written < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  std::string text(4096, '\0');
  const auto bytes = ::read(ends[0], text.data(), text.size());
  text.resize(bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return text;
}

/// In a process of its own that runs nothing else: what is asked for, or withdrawn, there stays there.
/// `body` tells what is wrong, if anything is.
void expect_alone(const std::function<std::string()>& body) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const auto problem = body();
        std::fputs(problem.c_str(), stderr);
        std::exit(problem.empty() ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

class Realtime : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto allowed = allow_realtime_threads(); !allowed) GTEST_SKIP() << allowed.error().message;
  }
};

TEST(RealtimeRights, AreNotTakenUnasked) {
  expect_alone([] {
    return scheduling_of_a_thread(Urgency::net) == kOrdinary ? ""
                                                             : "a thread was raised that nobody asked for";
  });
}

TEST(RealtimeRights, ThatAreMissingAreNamedWithTheRemedy) {
  const auto text = without_rights([] {
    const auto allowed = allow_realtime_threads();
    return allowed ? "allowed" : allowed.error().message;
  });
  EXPECT_THAT(text, AllOf(HasSubstr("no right to real-time scheduling"), HasSubstr("setcap cap_sys_nice"),
                          HasSubstr("rtprio"), HasSubstr("limits.conf")));
}

TEST(RealtimeRights, ToLockMemoryUnderALimitAreNotUsed) {
  const auto text = without_rights([] {
    const auto locked = lock_memory();
    return locked ? "locked" : locked.error().message;
  });
  EXPECT_THAT(text, AllOf(HasSubstr("no right to lock more than 64 KiB"), HasSubstr("memlock unlimited")));
}

TEST_F(Realtime, RaisesThreadsByTheirUrgency) {
  EXPECT_EQ(scheduling_of_a_thread(Urgency::net), kNet);
  EXPECT_EQ(scheduling_of_a_thread(Urgency::stage), kStage);
  EXPECT_EQ(scheduling_of_a_thread(Urgency::normal), kOrdinary);
  EXPECT_EQ(scheduling_of_this_thread(), kOrdinary) << "the thread that asked";
}

TEST_F(Realtime, IsNotHandedOnToWhatARaisedThreadStarts) {
  Scheduling inner;
  start_thread(
      "outer",
      [&](const std::stop_token&) {
        start_thread("inner", [&](const std::stop_token&) { inner = scheduling_of_this_thread(); }).join();
      },
      Urgency::net)
      .join();
  EXPECT_EQ(inner, kOrdinary);
}

TEST_F(Realtime, LimitsHowLongAThreadMayRunWithoutAPause) {
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_RTTIME, &limit), 0);
  EXPECT_LE(limit.rlim_cur, static_cast<rlim_t>(std::chrono::microseconds(kRealtimeRunMax).count()));
}

std::string withdraw_from_a_thread() {
  Scheduling before;
  Scheduling after;
  std::binary_semaphore is_up(0);
  std::binary_semaphore is_withdrawn(0);
  auto thread = start_thread(
      "test",
      [&](const std::stop_token&) {
        before = scheduling_of_this_thread();
        is_up.release();
        is_withdrawn.acquire();
        after = scheduling_of_this_thread();
      },
      Urgency::stage);
  is_up.acquire();
  const bool was_withdrawn = is_realtime_withdrawn();
  ::raise(SIGXCPU);
  is_withdrawn.release();
  thread.join();
  if (was_withdrawn) return "it was withdrawn before";
  if (before != kStage) return "the thread was not raised";
  if ((after.policy & ~SCHED_RESET_ON_FORK) != SCHED_OTHER) return "the thread is still raised";
  if (!is_realtime_withdrawn()) return "nobody is told";
  return scheduling_of_a_thread(Urgency::net) == kOrdinary ? "" : "later ones are raised again";
}

TEST_F(Realtime, IsWithdrawnFromAllThreadsWhenTheKernelComplains) {
  expect_alone(withdraw_from_a_thread);
}

}  // namespace
}  // namespace submix
