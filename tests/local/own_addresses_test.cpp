// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/own_addresses.hpp"

#include "common/cluster/address.hpp"

#include <gtest/gtest.h>

namespace submix::local {
namespace {

TEST(OwnAddresses, AreNeverLoopback) {
  for (const auto& address : own_addresses()) {
    EXPECT_FALSE(address.empty());
    EXPECT_FALSE(cluster::is_loopback(address)) << address;
  }
}

}  // namespace
}  // namespace submix::local
