// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/host_port.hpp"

#include <gtest/gtest.h>

namespace submix {
namespace {

TEST(HostPort, IsReadAndWrittenAlike) {
  for (const auto* text : {"198.18.0.2:7400", "rack1:1", "[fd00::2]:65535", "[::1]:0"}) {
    const auto end = parse_host_port(text);
    ASSERT_TRUE(end) << text;
    EXPECT_EQ(to_string(*end), text);
  }
  EXPECT_EQ(parse_host_port("[fd00::2]:7400"), (HostPort{"fd00::2", 7400}));
}

TEST(HostPort, IsNothingElse) {
  for (const auto* text :
       {"", ":", "rack1", "rack1:", ":7400", "rack1:x", "rack1:7400x", "rack1:65536", "rack1:-1",
        "fd00::2:7400", "fd00::2", "[fd00::2]", "[fd00::2:7400", "[]:7400", "[fd00::2]7400"})
    EXPECT_FALSE(parse_host_port(text)) << text;
}

TEST(HostPort, IsAHostWithoutItsPort) {
  EXPECT_EQ(without_port("198.18.0.2:7400"), "198.18.0.2");
  EXPECT_EQ(without_port("[fd00::2]:7400"), "fd00::2");
  EXPECT_EQ(without_port("fd00::2"), "fd00::2");
  EXPECT_EQ(without_port("[fd00::2]"), "fd00::2");
  EXPECT_EQ(without_port("memory"), "memory");
  EXPECT_EQ(without_port(""), "");
}

}  // namespace
}  // namespace submix
