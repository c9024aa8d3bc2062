// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/tcp_info.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace submix::link {
namespace {

TEST(TcpInfo, IsKnownOfASocketOfTcpOnly) {
  const int tcp = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int local = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_TRUE(read_tcp_info(tcp));
  EXPECT_FALSE(read_tcp_info(local)) << "it would be taken for one that has sent nothing again";
  EXPECT_FALSE(read_tcp_info(-1));
  ::close(tcp);
  ::close(local);
}

}  // namespace
}  // namespace submix::link
