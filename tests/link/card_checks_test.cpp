// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/cards/card_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::link {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<NetworkInterface> kCards{{"lo", "127.0.0.1", 8, 65536, 0, true},
                                           {"eth0", "198.18.0.1", 24, 1500, 1000, true},
                                           {"eth1", "198.18.1.1", 24, 1500, 1000, false}};

LinkPath path(const std::string& from, const std::string& to) {
  return {from, {to, 24, 7400}};
}

TEST(Obstacle, IsACardWithoutCarrierOrAnAddressWithoutCard) {
  EXPECT_EQ(obstacle_here(path("198.18.0.1", "198.18.0.2"), kCards), "");
  EXPECT_THAT(obstacle_here(path("198.18.1.1", "198.18.1.2"), kCards),
              AllOf(HasSubstr("eth1"), HasSubstr("carrier")));
  EXPECT_THAT(obstacle_here(path("198.18.7.1", "198.18.7.2"), kCards), HasSubstr("198.18.7.1"));
}

TEST(Obstacle, IsNoneWhereNoCardIsNeededOrKnown) {
  EXPECT_EQ(obstacle_here(path("127.0.0.2", "127.0.0.2"), kCards), "");
  EXPECT_EQ(obstacle_here(path("198.18.1.1", "198.18.0.1"), kCards),
            "");  // both addresses are this machine's
  EXPECT_EQ(obstacle_here(path("198.18.7.1", "198.18.7.2"), {}), "");
}

TEST(Obstacle, IsWhatTheFarNodeSaysOfItsCard) {
  auto far = path("198.18.0.1", "198.18.0.2");
  EXPECT_EQ(obstacle_there(far, kCards, "mix"), "");
  far.to.is_up = false;
  EXPECT_THAT(obstacle_there(far, kCards, "mix"), AllOf(HasSubstr("mix"), HasSubstr("198.18.0.2")));
  auto near = path("198.18.0.1", "198.18.1.1");
  near.to.is_up = false;
  EXPECT_EQ(obstacle_there(near, kCards, "mix"), "");
}

TEST(NeedsBinding, IsTrueForALinkThatLeavesByItsOwnCard) {
  EXPECT_TRUE(needs_binding(path("198.18.0.1", "198.18.0.2"), kCards, KernelRoute{"eth0", ""}));
  EXPECT_TRUE(
      needs_binding(path("198.18.0.1", "198.19.0.2"), kCards, KernelRoute{"eth0", "198.18.0.254"}));
  EXPECT_TRUE(needs_binding(path("198.18.0.1", "198.18.0.2"), kCards, std::nullopt));
}

TEST(NeedsBinding, OverrulesTheRoutingTableOnlyWithinTheCardsSubnet) {
  EXPECT_TRUE(needs_binding(path("198.18.0.1", "198.18.0.2"), kCards, KernelRoute{"eth1", ""}));
  EXPECT_FALSE(
      needs_binding(path("198.18.0.1", "198.19.0.2"), kCards, KernelRoute{"eth1", "198.18.1.254"}));
}

TEST(NeedsBinding, IsFalseForALinkWithinThisMachine) {
  EXPECT_FALSE(needs_binding(path("127.0.0.1", "127.0.0.1"), kCards, KernelRoute{"lo", ""}));
  EXPECT_FALSE(needs_binding(path("198.18.0.1", "198.18.0.1"), kCards, KernelRoute{"lo", ""}));
}

TEST(Silence, IsExplainedByTheGatewayThatTheRoutingTableNames) {
  EXPECT_THAT(explain_silence(path("198.18.0.1", "198.19.0.2"), kCards,
                              KernelRoute{"eth0", "198.18.0.254"}),
              AllOf(HasSubstr("sent from 198.18.0.1, card eth0"),
                    HasSubstr("to 198.19.0.2 through 198.18.0.254 by card eth0"),
                    HasSubstr("one subnet"), HasSubstr("ip route get 198.19.0.2 from 198.18.0.1")));
}

TEST(Silence, IsExplainedByTheOtherCardThatTheRoutingTableNames) {
  EXPECT_THAT(explain_silence(path("198.18.0.1", "198.18.0.2"), kCards, KernelRoute{"eth1", ""}),
              AllOf(HasSubstr("by card eth1, while the link is bound to card eth0"),
                    HasSubstr("subnet of its own")));
  EXPECT_THAT(explain_silence(path("198.18.0.1", "198.19.0.2"), kCards, KernelRoute{"eth1", ""}),
              AllOf(HasSubstr("by card eth1"), Not(HasSubstr("bound"))));
}

TEST(Silence, IsExplainedByAMissingRoute) {
  EXPECT_THAT(explain_silence(path("198.18.0.1", "198.19.0.2"), kCards, std::nullopt),
              AllOf(HasSubstr("card eth0"), HasSubstr("no way from there to 198.19.0.2")));
}

TEST(Silence, WhereTheWayIsDirectIsTheWayBackOrAFirewall) {
  EXPECT_THAT(explain_silence(path("198.18.0.1", "198.18.0.2"), kCards, KernelRoute{"eth0", ""}),
              AllOf(HasSubstr("directly"), HasSubstr("ip route get 198.18.0.1 from 198.18.0.2"),
                    HasSubstr("port 7400")));
}

TEST(Silence, OnThisMachineHasNothingToDoWithRoutes) {
  EXPECT_THAT(explain_silence(path("127.0.0.1", "127.0.0.1"), kCards, KernelRoute{"lo", ""}),
              AllOf(HasSubstr("of this machine"), Not(HasSubstr("rout"))));
}

LinkFacts good() {
  return {{"eth0", "198.18.0.1", 24, 1500, 1000, true, 1000},
          {"198.18.0.2", 24, 7400, 1500},
          KernelRoute{"eth0", ""},
          true,
          {}};
}

TEST(LinkWarning, IsEmptyForALinkAsItShouldBe) {
  EXPECT_EQ(warning_of(good()), "");
  auto unknown = good();
  unknown.route.reset();
  unknown.to.mtu_bytes = 0;
  unknown.card.speed_mbit = unknown.card.speed_max_mbit = 0;
  EXPECT_EQ(warning_of(unknown), "");
}

TEST(LinkWarning, NamesTheCardThatTwoLinksShare) {
  auto facts = good();
  facts.companions = {0, 2};
  EXPECT_THAT(warning_of(facts), AllOf(HasSubstr("card eth0"), HasSubstr("link 0, 2")));
}

TEST(LinkWarning, NamesBothMtus) {
  auto facts = good();
  facts.to.mtu_bytes = 9000;
  EXPECT_THAT(warning_of(facts), AllOf(HasSubstr("1500"), HasSubstr("9000 at 198.18.0.2")));
}

TEST(LinkWarning, NamesTheSpeedAndWhatItCouldBe) {
  auto facts = good();
  facts.card.speed_mbit = 100;
  EXPECT_THAT(warning_of(facts), AllOf(HasSubstr("100 Mbit/s of 1000"), HasSubstr("cable")));
}

TEST(LinkWarning, NamesTheFarCardsSpeedAndWhatItCouldBe) {
  auto facts = good();
  facts.to.speed_mbit = 100;
  facts.to.speed_max_mbit = 1000;
  EXPECT_THAT(warning_of(facts), AllOf(HasSubstr("198.18.0.2 runs at 100 Mbit/s of 1000"),
                                       HasSubstr("cable"), Not(HasSubstr("card eth0"))));
}

TEST(LinkWarning, NamesAFarCardThatIsSlowerThanTheOwn) {
  auto facts = good();
  facts.card.speed_mbit = facts.card.speed_max_mbit = 10000;
  facts.to.speed_mbit = 1000;  // its greatest speed is unknown
  EXPECT_THAT(warning_of(facts), AllOf(HasSubstr("198.18.0.2 is made for 1000 Mbit/s"),
                                       HasSubstr("card eth0 runs at 10000")));
  facts.to.speed_max_mbit = 1000;
  EXPECT_THAT(warning_of(facts), HasSubstr("card eth0 runs at 10000"));
}

TEST(LinkWarning, SaysNothingOfAFarCardThatIsAsFastOrFasterOrNotKnown) {
  auto facts = good();
  for (const int mbit : {0, 1000, 10000}) {
    facts.to.speed_mbit = facts.to.speed_max_mbit = mbit;
    EXPECT_EQ(warning_of(facts), "") << mbit;
  }
  facts.card.speed_mbit = facts.card.speed_max_mbit = 0;
  EXPECT_EQ(warning_of(facts), "") << "the own one is not known";
}

TEST(LinkWarning, NamesTheGatewayOrTheOtherCard) {
  auto facts = good();
  facts.route = KernelRoute{"eth0", "198.18.0.254"};
  EXPECT_THAT(warning_of(facts), AllOf(HasSubstr("not direct"), HasSubstr("198.18.0.254")));
  facts.route = KernelRoute{"eth1", ""};
  EXPECT_THAT(warning_of(facts),
              AllOf(HasSubstr("not direct"), HasSubstr("eth1"), HasSubstr("bound to card eth0")));
  facts.is_bound = false;
  EXPECT_THAT(warning_of(facts), HasSubstr("not by card eth0"));
}

TEST(LinkWarning, TellsAllThatIsOdd) {
  auto facts = good();
  facts.to.mtu_bytes = 9000;
  facts.card.speed_mbit = 100;
  EXPECT_THAT(warning_of(facts), AllOf(HasSubstr("MTU"), HasSubstr("; "), HasSubstr("Mbit/s")));
}

TEST(KernelRoute, LeadsToLoopbackByItself) {
  EXPECT_EQ(look_up_route("127.0.0.1", "127.0.0.2"), (KernelRoute{"lo", ""}));
  EXPECT_EQ(look_up_route("127.0.0.1", "::1"), std::nullopt);
  EXPECT_EQ(look_up_route("nonsense", "127.0.0.2"), std::nullopt);
}

}  // namespace
}  // namespace submix::link
