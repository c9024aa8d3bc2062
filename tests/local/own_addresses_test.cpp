// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/own_addresses.hpp"

#include "common/cluster/address.hpp"
#include "controller/local/nats_server.hpp"

#include <gtest/gtest.h>

namespace submix::local {
namespace {

TEST(OwnAddresses, AreNeverLoopback) {
  for (const auto& address : own_addresses()) {
    EXPECT_FALSE(address.empty());
    EXPECT_FALSE(cluster::is_loopback(address)) << address;
  }
}

TEST(LocalUrl, IsOfThisMachineWhereTheServerListensEverywhere) {
  EXPECT_EQ(local_url("0.0.0.0", 4222), "nats://127.0.0.1:4222");
  EXPECT_EQ(local_url("::", 4222), "nats://[::1]:4222");
  EXPECT_EQ(local_url("198.18.0.1", 4222), "nats://198.18.0.1:4222");
  EXPECT_EQ(local_url("fd00::1", 4222), "nats://[fd00::1]:4222");
}

}  // namespace
}  // namespace submix::local
