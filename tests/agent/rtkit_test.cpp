// Uses a real dbus-daemon. The service with rtkit's name is the tests' own.
#include "node/agent/rtkit.hpp"

#include "common/base/files.hpp"
#include "common/base/realtime.hpp"
#include "tests/agent/message_bus.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace submix::agent {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::MessageBus;
using testing::RealtimeService;

std::string trouble_of_connecting() {
  const auto rtkit = Rtkit::connect();
  return rtkit ? "connected" : rtkit.error().message;
}

bool may_raise_threads() {
  sched_param parameters{};
  parameters.sched_priority = 1;
  const bool may = ::sched_setscheduler(0, SCHED_RR, &parameters) == 0;
  detail::lower_thread(::gettid());
  return may;
}

int priority_of(pid_t thread) {
  sched_param parameters{};
  return ::sched_getparam(thread, &parameters) == 0 ? parameters.sched_priority : -1;
}

TEST(Rtkit, TellsWhatItGrants) {
  const MessageBus bus;
  const RealtimeService service(bus);
  const auto rtkit = Rtkit::connect();
  ASSERT_TRUE(rtkit) << rtkit.error().message;
  EXPECT_EQ(rtkit->terms().run_max, std::chrono::milliseconds(200));
  EXPECT_EQ(rtkit->terms().priority_max, 20);
}

TEST(Rtkit, RaisesAThreadOfAProcessThatLimitsItself) {
  if (!may_raise_threads()) GTEST_SKIP() << "the service needs CAP_SYS_NICE";
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_RTTIME, &before), 0);
  const MessageBus bus;
  const RealtimeService service(bus);
  auto rtkit = Rtkit::connect();
  ASSERT_TRUE(rtkit) << rtkit.error().message;
  const auto too_long = rtkit->raise(::gettid(), 7);
  ASSERT_FALSE(too_long);
  EXPECT_THAT(too_long.error().message, HasSubstr("RLIMIT_RTTIME"));
  detail::limit_realtime_run(rtkit->terms().run_max);
  const auto raised = rtkit->raise(::gettid(), 7);
  EXPECT_TRUE(raised) << raised.error().message;
  EXPECT_EQ(priority_of(0), 7);
  detail::lower_thread(::gettid());
  ::setrlimit(RLIMIT_RTTIME, &before);
}

TEST(Rtkit, SaysThatThereIsNoBus) {
  ::setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere/bus", 1);
  EXPECT_THAT(trouble_of_connecting(), HasSubstr("no system bus at unix:path=/nowhere/bus"));
  ::unsetenv("DBUS_SYSTEM_BUS_ADDRESS");
}

TEST(Rtkit, SaysThatTheBusHasNoSuchService) {
  const MessageBus bus;
  EXPECT_THAT(trouble_of_connecting(),
              AllOf(HasSubstr("rtkit"), HasSubstr("org.freedesktop.RealtimeKit1")));
}

TEST(Rtkit, DoesNotWaitForeverForAServiceThatIsSilent) {
  const MessageBus bus;
  const RealtimeService service(bus, {.is_silent = true});
  EXPECT_THAT(trouble_of_connecting(), HasSubstr("reply"));
}

TEST(Rtkit, SaysWhyItRefuses) {
  const MessageBus bus;
  const RealtimeService service(bus, {.refusal = "not in an active session"});
  auto rtkit = Rtkit::connect();
  ASSERT_TRUE(rtkit) << rtkit.error().message;
  const auto raised = rtkit->raise(::gettid(), 7);
  ASSERT_FALSE(raised);
  EXPECT_THAT(raised.error().message, HasSubstr("not in an active session"));
}

TEST(Rtkit, IsFoundAgainOnABusThatWasRestarted) {
  MessageBus bus;
  auto service =
      std::make_unique<RealtimeService>(bus, RealtimeService::Manner{.refusal = "first"});
  auto rtkit = Rtkit::connect();
  ASSERT_TRUE(rtkit) << rtkit.error().message;
  service.reset();
  bus.restart();
  service = std::make_unique<RealtimeService>(bus, RealtimeService::Manner{.refusal = "second"});
  std::string said;
  // The first request may only discover that the bus has gone.
  for (int attempt = 0; attempt < 2 && said.find("second") == std::string::npos; ++attempt)
    said = why(rtkit->raise(::gettid(), 7));
  EXPECT_THAT(said, HasSubstr("second"));
}

/// A real node without the right to raise threads.
class NodeWithoutRights : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0 || !may_raise_threads()) GTEST_SKIP() << "needs root with CAP_SYS_NICE";
  }
  void start_node() {
    auto started = ChildProcess::start(
        {"setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice", SUBMIX_NODE, "--name",
         "left", "--nats", "nats://127.0.0.1:1", "--data-address", "127.0.0.1", "--media",
         folder_.path().string(), "--recordings", folder_.path().string()},
        folder_ / "log");
    ASSERT_TRUE(started) << started.error().message;
    node_ = std::move(*started);
  }
  [[nodiscard]] std::string log() const { return read_text_file(folder_ / "log").value_or(""); }
  [[nodiscard]] bool eventually(const std::function<bool()>& is_so) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!is_so() && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return is_so();
  }
  /// -1: no such thread
  [[nodiscard]] int priority_of_thread(const std::string& name) const {
    std::error_code error;
    for (const auto& task : std::filesystem::directory_iterator(
             "/proc/" + std::to_string(node_->pid()) + "/task", error)) {
      if (read_text_file(task.path() / "comm").value_or("") == name + "\n")
        return priority_of(std::atoi(task.path().filename().c_str()));
    }
    return -1;
  }

  const testing::TemporaryFolder folder_;
  std::optional<ChildProcess> node_;
};

TEST_F(NodeWithoutRights, HasItsThreadsRaisedByRtkitAndSaysSo) {
  const MessageBus bus;
  const RealtimeService service(bus);
  ASSERT_NO_FATAL_FAILURE(start_node());
  EXPECT_TRUE(eventually([&] { return priority_of_thread("net") == kRealtimeNetPriority; }))
      << log();
  EXPECT_TRUE(eventually([&] { return priority_of_thread("agent") == 0; }))
      << "nobody waits for it";
  EXPECT_THAT(log(), HasSubstr("by rtkit (100 ms without a pause)"));
}

TEST_F(NodeWithoutRights, SaysWhyRtkitDoesNotHelpAndRunsOn) {
  const MessageBus bus;
  const RealtimeService service(bus, {.refusal = "not in an active session"});
  ASSERT_NO_FATAL_FAILURE(start_node());
  ASSERT_TRUE(eventually([&] { return priority_of_thread("net") >= 0; })) << log();
  EXPECT_THAT(log(), AllOf(HasSubstr("setcap cap_sys_nice"), HasSubstr("nor does rtkit help"),
                           HasSubstr("not in an active session")));
  EXPECT_EQ(priority_of_thread("net"), 0);
}

}  // namespace
}  // namespace submix::agent
