// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/tcp_way.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace submix::link {
namespace {

TEST(TcpWay, IsKnownOfASocketOfTcpOnly) {
  const int tcp = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int local = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_TRUE(look_at_tcp_way(tcp));
  EXPECT_FALSE(look_at_tcp_way(local)) << "it would be taken for one that has sent nothing again";
  EXPECT_FALSE(look_at_tcp_way(-1));
  ::close(tcp);
  ::close(local);
}

}  // namespace
}  // namespace submix::link
