// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/machine_id.hpp"

#include <gtest/gtest.h>

namespace submix {
namespace {

TEST(MachineId, IsOfThisBoot) {
  EXPECT_FALSE(machine_id().empty());
  EXPECT_EQ(machine_id(), machine_id());
}

TEST(MachineId, IsOfOneMachineInAllItsNetworkNamespaces) {
  EXPECT_TRUE(is_one_machine("boot-a/1", "boot-a/1"));
  EXPECT_TRUE(is_one_machine("boot-a/1", "boot-a/2"));
  EXPECT_FALSE(is_one_machine("boot-a/1", "boot-b/1"));
  EXPECT_FALSE(is_one_machine("boot/1", "boot-a/1"));
  EXPECT_FALSE(is_one_machine("", "")) << "not known";
  EXPECT_FALSE(is_one_machine("/1", "/1"));
}

}  // namespace
}  // namespace submix
