// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/interfaces.hpp"

#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

namespace submix::link {
namespace {

TEST(Interfaces, ListLoopbackWithItsSubnet) {
  const auto interfaces = list_interfaces();
  const auto found = std::find_if(interfaces.begin(), interfaces.end(),
                                  [](const auto& each) { return each.address == "127.0.0.1"; });
  ASSERT_NE(found, interfaces.end());
  EXPECT_EQ(found->name, "lo");
  EXPECT_EQ(found->prefix_length, 8);
  EXPECT_GT(found->mtu_bytes, 0);
}

TEST(Interfaces, TakeSpeedAndMtuFromSysfs) {
  const testing::TemporaryFolder sysfs;
  std::filesystem::create_directory(sysfs / "lo");
  std::ofstream(sysfs / "lo/speed") << "2500\n";
  std::ofstream(sysfs / "lo/mtu") << "9000\n";
  for (const auto& each : list_interfaces(sysfs.path())) {
    if (each.name != "lo") continue;
    EXPECT_EQ(each.speed_mbit, 2500);
    EXPECT_EQ(each.mtu_bytes, 9000);
  }
}

TEST(Interfaces, KnowThePrefixOfLoopbackAddressesThatAreNotListed) {
  const std::vector<NetworkInterface> interfaces{{"lo", "127.0.0.1", 8, 0, 0, true},
                                                 {"eth0", "198.18.0.1", 16, 0, 0, true}};
  EXPECT_EQ(prefix_length_of("127.0.0.2", interfaces), 8);
  EXPECT_EQ(prefix_length_of("198.18.0.1", interfaces), 16);
  EXPECT_EQ(prefix_length_of("198.18.0.2", interfaces), 0);
  EXPECT_EQ(prefix_length_of("nonsense", interfaces), 0);
}

}  // namespace
}  // namespace submix::link
