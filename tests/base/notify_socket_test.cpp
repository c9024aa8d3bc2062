// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/notify_socket.hpp"

#include "tests/support/notify_listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace submix {
namespace {

using namespace std::chrono_literals;

class NotifySocketTest : public ::testing::Test {
 protected:
  void TearDown() override { ::unsetenv("NOTIFY_SOCKET"); }

  const testing::TemporaryFolder folder_;
};

TEST_F(NotifySocketTest, SendsOneDatagramForEachState) {
  const testing::NotifyListener listener(folder_ / "notify");
  ::setenv("NOTIFY_SOCKET", listener.address().c_str(), 1);
  const auto socket = NotifySocket::of_environment();
  socket.send("READY=1");
  socket.send("WATCHDOG=1");
  EXPECT_EQ(listener.next(10s), "READY=1");
  EXPECT_EQ(listener.next(10s), "WATCHDOG=1");
  EXPECT_EQ(listener.next(0s), "");
}

TEST_F(NotifySocketTest, KnowsAbstractNames) {
  const testing::NotifyListener listener(fmt::format("@submix-test-{}", ::getpid()));
  NotifySocket(listener.address()).send("READY=1");
  EXPECT_EQ(listener.next(10s), "READY=1");
}

TEST_F(NotifySocketTest, DoesNothingWithoutAServiceManager) {
  ::unsetenv("NOTIFY_SOCKET");
  NotifySocket::of_environment().send("READY=1");
  NotifySocket(folder_ / "nobody").send("READY=1");
  NotifySocket(std::string(200, 'x')).send("READY=1");
}

TEST_F(NotifySocketTest, DoesNotWaitForAReceiverThatReadsNothing) {
  const testing::NotifyListener listener(folder_ / "notify");
  const NotifySocket socket(listener.address());
  for (int i = 0; i < 10'000; ++i)  // more than any queue holds: bounded by ctest
    socket.send("WATCHDOG=1");
}

}  // namespace
}  // namespace submix
