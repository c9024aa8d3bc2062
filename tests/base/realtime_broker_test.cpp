// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/realtime_broker.hpp"

#include "common/base/realtime.hpp"
#include "common/base/thread.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <semaphore>
#include <string>
#include <vector>

namespace submix {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A limit between the priorities of stage and net.
constexpr RealtimeTerms kTerms{.run_max = std::chrono::milliseconds(200), .priority_max = 11};

/// Stands in for a privileged service: refuses or hangs when a test says so.
struct Privileged {
  Result<void> raise(pid_t thread, int priority) {
    if (is_to_hang) {
      is_asked.release();
      let_go.acquire();
    }
    priorities.push_back(priority);
    if (refusals_left > 0) {
      --refusals_left;
      return fail("too many at once");
    }
    if (!refusal.empty()) return fail("{}", refusal);
    sched_param parameters{};
    parameters.sched_priority = priority;
    if (::sched_setscheduler(thread, SCHED_RR | SCHED_RESET_ON_FORK, &parameters) == 0) return {};
    return fail("no right");
  }

  std::string refusal;
  std::vector<int> priorities;  // priorities requested so far
  int refusals_left = 0;
  bool is_to_hang = false;
  std::counting_semaphore<8> is_asked{0};
  std::counting_semaphore<8> let_go{0};
};

int priority_of_this_thread() {
  sched_param parameters{};
  ::sched_getparam(0, &parameters);
  return parameters.sched_priority;
}

/// The thread's final scheduling. The thread gets no notice of a change, so the test polls.
int priority_of_a_thread(Urgency urgency, int expected) {
  int found = -1;
  start_thread(
      "test",
      [&](const std::stop_token&) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while ((found = priority_of_this_thread()) != expected &&
               std::chrono::steady_clock::now() < deadline)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
      },
      urgency)
      .join();
  return found;
}

class BrokerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::getrlimit(RLIMIT_RTTIME, &limit_), 0);
    if (const auto probe = privileged.raise(::gettid(), 1); !probe)
      GTEST_SKIP() << "needs CAP_SYS_NICE";
    detail::lower_thread(::gettid());
    privileged.priorities.clear();
  }
  void TearDown() override { ::setrlimit(RLIMIT_RTTIME, &limit_); }

  [[nodiscard]] Result<std::unique_ptr<RealtimeBroker>> start() {
    return RealtimeBroker::start(
        terms, [this](pid_t thread, int priority) { return privileged.raise(thread, priority); });
  }

  RealtimeTerms terms = kTerms;
  Privileged privileged;

 private:
  rlimit limit_{};
};

TEST_F(BrokerTest, HasThreadsRaisedByTheirUrgencyAsFarAsIsGranted) {
  const auto broker = start();
  ASSERT_TRUE(broker) << broker.error().message;
  EXPECT_EQ(priority_of_this_thread(), 0) << "the thread that asked";
  EXPECT_EQ(priority_of_a_thread(Urgency::stage, kRealtimeStagePriority), kRealtimeStagePriority);
  EXPECT_EQ(priority_of_a_thread(Urgency::net, kTerms.priority_max), kTerms.priority_max);
  EXPECT_EQ(priority_of_a_thread(Urgency::normal, 0), 0);
  EXPECT_THAT(privileged.priorities, ElementsAre(11, 10, 11));
}

TEST_F(BrokerTest, LimitsHowLongAThreadMayRunBeforeItAsks) {
  const auto broker = start();
  ASSERT_TRUE(broker);
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_RTTIME, &limit), 0);
  EXPECT_EQ(limit.rlim_max, 200'000U);
  EXPECT_EQ(limit.rlim_cur, 100'000U);
  EXPECT_EQ(realtime_run_max(), std::chrono::milliseconds(100));
}

TEST_F(BrokerTest, ThatIsRefusedTellsWhyAndRaisesNothing) {
  privileged.refusal = "not in this session";
  const auto broker = start();
  ASSERT_FALSE(broker);
  EXPECT_THAT(broker.error().message, HasSubstr("not in this session"));
  EXPECT_EQ(priority_of_a_thread(Urgency::net, 0), 0);
  EXPECT_THAT(privileged.priorities, ElementsAre(11)) << "asked for once";
}

TEST_F(BrokerTest, KeepsNoThreadWaitingForAnAnswer) {
  const auto broker = start();
  ASSERT_TRUE(broker);
  privileged.is_to_hang = true;
  std::binary_semaphore has_run(0);
  auto thread =
      start_thread("test", [&](const std::stop_token&) { has_run.release(); }, Urgency::stage);
  EXPECT_TRUE(has_run.try_acquire_for(std::chrono::seconds(10)));
  privileged.let_go.release();
}

TEST_F(BrokerTest, DoesNotAskForAThreadThatHasEndedMeanwhile) {
  const auto broker = start();
  ASSERT_TRUE(broker);
  privileged.is_to_hang = true;
  std::binary_semaphore is_over(0);
  auto first =
      start_thread("first", [&](const std::stop_token&) { is_over.acquire(); }, Urgency::stage);
  privileged.is_asked.acquire();
  // Waits behind the first request; its thread is about to end.
  broker->get()->raise(::gettid(), 3);
  broker->get()->forget(::gettid());
  privileged.let_go.release();
  is_over.release();
  first.join();
  EXPECT_THAT(privileged.priorities, ElementsAre(11, 10));
}

TEST_F(BrokerTest, AsksAgainForWhatWasRefusedAsLongAsTheThreadLives) {
  terms.pause = std::chrono::milliseconds(1);
  const auto broker = start();
  ASSERT_TRUE(broker);
  privileged.refusals_left = 3;
  EXPECT_EQ(priority_of_a_thread(Urgency::stage, kRealtimeStagePriority), kRealtimeStagePriority);
  EXPECT_THAT(privileged.priorities, ElementsAre(11, 10, 10, 10, 10));
  privileged.refusals_left = 1000;
  start_thread("short", [](const std::stop_token&) {}, Urgency::stage).join();
  const auto asked = privileged.priorities.size();
  std::this_thread::sleep_for(20 * terms.pause);
  EXPECT_EQ(privileged.priorities.size(), asked);
}

TEST_F(BrokerTest, AsksForNothingForAThreadThatRanForTooLong) {
  const auto broker = start();
  ASSERT_TRUE(broker);
  start_thread(
      "test",
      [&](const std::stop_token&) {
        while (priority_of_this_thread() == 0)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ::raise(SIGXCPU);
        EXPECT_TRUE(is_realtime_withdrawn());
        broker->get()->raise(::gettid(), 3);
        EXPECT_EQ(priority_of_a_thread(Urgency::net, 11), 11) << "the next in the line";
        EXPECT_EQ(priority_of_this_thread(), 0);
      },
      Urgency::stage)
      .join();
  EXPECT_FALSE(is_realtime_withdrawn());
  EXPECT_THAT(privileged.priorities, ElementsAre(11, 10, 11));
}

TEST_F(BrokerTest, LowersWhatWasRaisedWhileItWasWithdrawn) {
  const auto broker = start();
  ASSERT_TRUE(broker);
  privileged.is_to_hang = true;
  int priority = -1;
  std::binary_semaphore is_withdrawn(0);
  auto thread = start_thread(
      "test",
      [&](const std::stop_token&) {
        is_withdrawn.acquire();
        broker->get()->forget(::gettid());  // waits for the answer to the request under way
        priority = priority_of_this_thread();
      },
      Urgency::stage);
  privileged.is_asked.acquire();
  ::raise(SIGXCPU);
  privileged.let_go.release();
  is_withdrawn.release();
  thread.join();
  EXPECT_EQ(priority, 0);
}

}  // namespace
}  // namespace submix
