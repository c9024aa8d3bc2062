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
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

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
  start_thread(
      "test", [&](const std::stop_token&) { found = scheduling_of_this_thread(); }, urgency)
      .join();
  return found;
}

/// The result of `body` in a child process without rights; the test's own process keeps its rights.
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

/// Runs `body` in a process of its own, so that limits set there stay there. `body` returns a
/// description of the failure; empty: none.
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
    if (const auto allowed = allow_realtime_threads(); !allowed)
      GTEST_SKIP() << allowed.error().message;
  }
};

TEST(RealtimeRights, AreNotTakenUnasked) {
  expect_alone([] {
    return scheduling_of_a_thread(Urgency::net) == kOrdinary
               ? ""
               : "a thread was raised that nobody asked for";
  });
}

TEST(RealtimeRights, ThatAreMissingAreNamedWithTheRemedy) {
  const auto text = without_rights([] {
    const auto allowed = allow_realtime_threads();
    return allowed ? "allowed" : allowed.error().message;
  });
  EXPECT_THAT(text,
              AllOf(HasSubstr("no right to real-time scheduling"), HasSubstr("setcap cap_sys_nice"),
                    HasSubstr("rtprio"), HasSubstr("limits.conf")));
}

TEST(RealtimeRights, ToLockMemoryUnderALimitAreNotUsed) {
  const auto text = without_rights([] {
    const auto locked = lock_memory();
    return locked ? "locked" : locked.error().message;
  });
  EXPECT_THAT(
      text, AllOf(HasSubstr("no right to lock more than 64 KiB"), HasSubstr("memlock unlimited")));
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
        start_thread("inner", [&](const std::stop_token&) {
          inner = scheduling_of_this_thread();
        }).join();
      },
      Urgency::net)
      .join();
  EXPECT_EQ(inner, kOrdinary);
}

TEST_F(Realtime, LimitsHowLongAThreadMayRunWithoutAPause) {
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_RTTIME, &limit), 0);
  EXPECT_LE(limit.rlim_cur,
            static_cast<rlim_t>(std::chrono::microseconds(kRealtimeRunMax).count()));
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
  return scheduling_of_a_thread(Urgency::net) == kNet ? "" : "later ones are not raised";
}

TEST_F(Realtime, IsWithdrawnFromAllThreadsWhereNobodyKnowsWhichOneRan) {
  expect_alone(withdraw_from_a_thread);
}

bool is_ordinary(const Scheduling& scheduling) {
  return (scheduling.policy & ~SCHED_RESET_ON_FORK) == SCHED_OTHER;
}

/// A raised, sleeping thread. The test can ask for its scheduling.
class Sleeper {
 public:
  explicit Sleeper(const std::string& name)
      : thread_(start_thread(
            name,
            [this](const std::stop_token& stop) {
              id_ = ::gettid();
              is_up_.release();
              while (!stop.stop_requested()) {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, stop, [this] { return runs_away_; });
                if (!std::exchange(runs_away_, false)) continue;
                ::raise(SIGXCPU);  // to this thread, like the kernel
                has_run_.release();
              }
            },
            Urgency::stage)) {
    is_up_.acquire();
  }
  void run_away() {
    {
      const std::lock_guard lock(mutex_);
      runs_away_ = true;
    }
    changed_.notify_all();
    has_run_.acquire();
  }
  [[nodiscard]] Scheduling scheduling() const {
    sched_param parameters{};
    ::sched_getparam(id_, &parameters);
    return {::sched_getscheduler(id_), parameters.sched_priority};
  }

 private:
  std::binary_semaphore is_up_{0};
  std::binary_semaphore has_run_{0};
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool runs_away_ = false;
  pid_t id_ = 0;
  std::jthread thread_;
};

/// The names reported once `sleeper` sleeps again, at a time `ahead` of now.
std::vector<std::string> lowered_after(const Sleeper& sleeper, std::chrono::seconds ahead) {
  std::vector<std::string> names;
  for (int tries = 0; tries < 1000; ++tries) {
    names = tend_lowered_threads(std::chrono::steady_clock::now() + ahead);
    if (sleeper.scheduling() == kStage) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return names;
}

std::string lower_one_of_two() {
  Sleeper one("runs-away");
  const Sleeper other("other");
  one.run_away();
  if (!is_ordinary(one.scheduling())) return "the thread that ran is still raised";
  if (other.scheduling() != kStage) return "the other one was lowered, too";
  if (!is_realtime_withdrawn()) return "nobody is told";
  const auto names = tend_lowered_threads(std::chrono::steady_clock::now());
  if (names != std::vector<std::string>{"runs-away"}) return "its name is not told";
  if (!is_ordinary(one.scheduling())) return "it was raised again at once";
  const auto later = lowered_after(one, kLoweredPause + std::chrono::seconds(1));
  if (!later.empty() || one.scheduling() != kStage) return "it was not raised again";
  return is_realtime_withdrawn() ? "it is still told" : "";
}

// All threads once lost their priority, for good.
TEST_F(Realtime, IsWithdrawnForAWhileFromTheThreadThatRan) {
  expect_alone(lower_one_of_two);
}

/// Runs as a user who may not clear the flag SCHED_RESET_ON_FORK.
std::string lower_without_the_capability() {
  Sleeper one("runs-away");
  if (one.scheduling() != kStage) return "it was not raised";
  if (::setresuid(65534, 65534, 65534) != 0) return "this user cannot become another one";
  one.run_away();
  return is_ordinary(one.scheduling()) ? "" : "the thread that ran is still raised";
}

// The kernel once refused this call where the right comes from limits.conf: the thread stayed
// raised.
TEST_F(Realtime, IsWithdrawnAlsoWithoutTheCapability) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to give it up";
  expect_alone(lower_without_the_capability);
}

std::string lower_twice() {
  Sleeper one("runs-away");
  one.run_away();
  (void)lowered_after(one, kLoweredPause + std::chrono::seconds(1));
  one.run_away();
  const auto soon = tend_lowered_threads(std::chrono::steady_clock::now() + kLoweredPause +
                                         std::chrono::seconds(1));
  if (soon.empty() || !is_ordinary(one.scheduling()))
    return "it was raised again as soon as before";
  (void)lowered_after(one, 2 * kLoweredPause + std::chrono::seconds(1));
  return one.scheduling() == kStage ? "" : "it was not raised again";
}

TEST_F(Realtime, IsWithdrawnForTwiceAsLongTheNextTime) {
  expect_alone(lower_twice);
}

std::string compute_without_a_pause() {
  const Sleeper other("other");
  bool was_lowered = false;
  start_thread(
      "computes",
      [&](const std::stop_token&) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!was_lowered && std::chrono::steady_clock::now() < deadline)
          was_lowered = is_ordinary(scheduling_of_this_thread());
      },
      Urgency::stage)
      .join();
  if (!was_lowered) return "it goes ahead of all others for ever";
  if (other.scheduling() != kStage) return "the other one was lowered, too";
  rlimit limit{};
  ::getrlimit(RLIMIT_RTTIME, &limit);
  return limit.rlim_cur <= static_cast<rlim_t>(std::chrono::microseconds(kRealtimeRunMax).count())
             ? ""
             : "the limit is no longer what it was";
}

// Uses the kernel's own signal, to test which thread receives it.
TEST_F(Realtime, IsWithdrawnByTheKernelFromTheThreadThatComputes) {
  expect_alone(compute_without_a_pause);
}

TEST_F(Realtime, IsLaidDownForLongWork) {
  Scheduling within;
  Scheduling after;
  start_thread(
      "test",
      [&](const std::stop_token&) {
        {
          const OrdinaryThread ordinary;
          within = scheduling_of_this_thread();
        }
        after = scheduling_of_this_thread();
      },
      Urgency::stage)
      .join();
  EXPECT_TRUE(is_ordinary(within));
  EXPECT_EQ(after, kStage);
  const OrdinaryThread nothing;  // on a thread that was never raised
  EXPECT_EQ(scheduling_of_this_thread(), kOrdinary);
}

}  // namespace
}  // namespace submix
