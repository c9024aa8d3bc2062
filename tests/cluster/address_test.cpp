// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/address.hpp"

#include <gtest/gtest.h>

namespace submix::cluster {
namespace {

TEST(Address, TellsLoopbackFromTheRest) {
  for (const std::string_view host : {"127.0.0.1", "127.9.9.9", "::1", "localhost"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const std::string_view host :
       {"", "0.0.0.0", "10.0.0.1", "::", "rack2", "127.0.0.1.evil.org", "128.0.0.1"}) {
    EXPECT_FALSE(is_loopback(host)) << host;
  }
}

TEST(Address, TakesOneOrSeveralUrls) {
  EXPECT_EQ(*parse_urls("127.0.0.1:4222"), std::vector<std::string>{"nats://127.0.0.1:4222"});
  EXPECT_EQ(*parse_urls("nats://a:1,nats://[::1]:2"),
            (std::vector<std::string>{"nats://a:1", "nats://[::1]:2"}));
  EXPECT_EQ(host_of("nats://[::1]:2"), "::1");
  EXPECT_EQ(host_of("nats://rack2:4222"), "rack2");
  EXPECT_EQ(host_of("rack2"), "rack2");
}

TEST(Address, RefusesWhatIsNoUrl) {
  for (const std::string_view text :
       {"", ",", "nats://", "a,,b", "http://a", "nats://token@a:1", "a b"}) {
    EXPECT_FALSE(parse_urls(text)) << text;
  }
  EXPECT_FALSE(parse_urls(std::string(1000, 'a')));
}

}  // namespace
}  // namespace submix::cluster
