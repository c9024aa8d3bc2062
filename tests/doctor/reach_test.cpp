// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/doctor/reach.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <vector>

namespace submix::doctor {
namespace {

using boost::asio::ip::tcp;
using ::testing::HasSubstr;

TEST(ParseTarget, ReadsBothKindsOfAddress) {
  EXPECT_EQ(*parse_target("left=198.18.0.2:7400"), (Target{"left", "198.18.0.2", 7400}));
  EXPECT_EQ(*parse_target("left=[fd00::2]:7400"), (Target{"left", "fd00::2", 7400}));
}

TEST(ParseTarget, RefusesWhatIsNoAddress) {
  for (const auto* text :
       {"", "left", "left=", "left=198.18.0.2", "left=rack1:7400", "left=198.18.0.2:0",
        "left=198.18.0.2:70000", "left=198.18.0.2:74x", "left=fd00::2:7400", "198.18.0.2:7400"}) {
    const auto target = parse_target(text);
    ASSERT_FALSE(target) << text;
    EXPECT_THAT(target.error().message, HasSubstr("NODE=ADDRESS:PORT"));
  }
}

TEST(NearTargets, KeepsThoseOfTheOwnSubnets) {
  const std::vector<NetworkInterface> own{
      {.name = "eth0", .address = "198.18.0.1", .prefix_length = 24}};
  const std::vector<Target> all{{"left", "198.18.0.2", 7400}, {"left", "198.18.1.2", 7400}};
  EXPECT_EQ(near_targets(all, own), (std::vector<Target>{{"left", "198.18.0.2", 7400}}));
}

TEST(ExamineDistantNodes, NamesThoseWithoutAnAddressNearby) {
  const std::vector<Target> all{
      {"left", "198.18.0.2", 7400}, {"left", "198.18.1.2", 7400}, {"far", "198.18.9.2", 7400}};
  const std::vector<Target> near{all[1]};
  const auto findings = examine_distant_nodes(all, near);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].subject, "way to far");
  EXPECT_EQ(findings[0].grade, Grade::note);
}

TEST(TryTargets, TellsWhoAnswersAndWhoRefuses) {
  boost::asio::io_context io;
  tcp::acceptor acceptor(io, {boost::asio::ip::address_v4::loopback(), 0});
  tcp::acceptor closed(io, {boost::asio::ip::address_v4::loopback(), 0});
  const auto free_port = closed.local_endpoint().port();
  closed.close();
  const auto findings = try_targets(std::vector<Target>{
      {"left", "127.0.0.1", acceptor.local_endpoint().port()}, {"right", "127.0.0.1", free_port}});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].grade, Grade::good);
  EXPECT_EQ(findings[0].subject, "way to left");
  EXPECT_EQ(findings[1].grade, Grade::bad);
  EXPECT_THAT(findings[1].found, HasSubstr("refused"));
  EXPECT_THAT(findings[1].remedy, HasSubstr("right"));
}

TEST(TryTargets, NobodyToTryIsNothingFound) {
  EXPECT_TRUE(try_targets({}).empty());
}

}  // namespace
}  // namespace submix::doctor
