// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/thread_alarm.hpp"

#include "common/base/descriptor.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <thread>

namespace submix {
namespace {

using namespace std::chrono_literals;

/// Two ends; nobody writes.
struct SilentPair {
  SilentPair() {
    std::array<int, 2> ends{};
    ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data());
    near = Descriptor(ends[0]);
    far = Descriptor(ends[1]);
  }
  Descriptor near;
  Descriptor far;
};

int read_error(int socket) {
  char byte = 0;
  return ::read(socket, &byte, 1) < 0 ? errno : 0;
}

TEST(ThreadAlarm, EndsCallsThatWaitWithoutALimit) {
  EXPECT_FALSE(ThreadAlarm(1h).is_over());
  const SilentPair pair;
  const ThreadAlarm alarm(20ms);
  EXPECT_EQ(read_error(pair.near.get()), EINTR);
  EXPECT_TRUE(alarm.is_over());
  EXPECT_EQ(read_error(pair.near.get()), EINTR) << "a later call waits for ever";
}

TEST(ThreadAlarm, LeavesOtherThreadsAlone) {
  const SilentPair pair;
  int error = -1;
  std::jthread other([&] { error = read_error(pair.near.get()); });
  {
    const ThreadAlarm alarm(1ms);
    const SilentPair own;
    EXPECT_EQ(read_error(own.near.get()), EINTR);
    EXPECT_EQ(read_error(own.near.get()), EINTR);
  }
  ASSERT_EQ(::write(pair.far.get(), "x", 1), 1);
  other.join();
  EXPECT_EQ(error, 0);
}

TEST(ThreadAlarm, IsOffWhenItIsGone) {
  const SilentPair pair;
  {
    const ThreadAlarm alarm(1ms);
  }
  std::jthread late([&] {
    std::this_thread::sleep_for(150ms);  // longer than an alarm's period
    static_cast<void>(::write(pair.far.get(), "x", 1));
  });
  EXPECT_EQ(read_error(pair.near.get()), 0);
}

}  // namespace
}  // namespace submix
