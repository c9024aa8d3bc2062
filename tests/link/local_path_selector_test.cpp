// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/local/local_path_selector.hpp"

#include "common/link/timing.hpp"

#include <gtest/gtest.h>

#include <string>

namespace submix::link {
namespace {

const LocalEndpoint kEndpoint{"here", "submix-1"};
constexpr int kTicksToTrial = static_cast<int>(kLocalTrialPause / kTick);

class LocalPathSelectorTest : public ::testing::Test {
 protected:
  LocalPathSelectorTest() { selector.set_endpoint(kEndpoint); }
  bool is_tried_within(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      if (selector.tick()) return true;
    }
    return false;
  }
  LocalPathSelector selector{"here"};
};

TEST_F(LocalPathSelectorTest, IsWantedWhereTheReceiverIsOnThisMachine) {
  EXPECT_TRUE(selector.is_wanted());
  EXPECT_FALSE(selector.needs_tcp());
}

TEST_F(LocalPathSelectorTest, IsNotWantedToAnotherMachine) {
  selector.set_endpoint({"elsewhere", "submix-1"});
  EXPECT_FALSE(selector.is_wanted());
  EXPECT_TRUE(selector.needs_tcp());
}

TEST_F(LocalPathSelectorTest, IsNotWantedWhereNobodyKnowsTheMachine) {
  LocalPathSelector nowhere{""};
  nowhere.set_endpoint({"", ""});
  EXPECT_FALSE(nowhere.is_wanted());
}

TEST_F(LocalPathSelectorTest, IsNotWantedWithAnImpossibleName) {
  selector.set_endpoint({"here", ""});
  EXPECT_FALSE(selector.is_wanted());
  selector.set_endpoint({"here", std::string(200, 'x')});
  EXPECT_FALSE(selector.is_wanted());
}

TEST_F(LocalPathSelectorTest, IsNotWantedWhereItIsRefused) {
  selector.opened();
  selector.allow(false);
  EXPECT_FALSE(selector.is_wanted());
  EXPECT_FALSE(selector.is_open());
  EXPECT_TRUE(selector.needs_tcp());
  selector.allow(true);
  EXPECT_TRUE(selector.is_wanted());
}

TEST_F(LocalPathSelectorTest, LeavesTheStreamToTcpWhenNobodyListens) {
  selector.lost("nobody listens", true);
  EXPECT_FALSE(selector.is_wanted());
  EXPECT_TRUE(selector.needs_tcp());
  EXPECT_EQ(selector.trouble(), "nobody listens");
}

TEST_F(LocalPathSelectorTest, WaitsForAReceiverThatIsNotThereYet) {
  selector.lost("no such stream yet", false);
  EXPECT_TRUE(selector.is_wanted());
  EXPECT_FALSE(selector.needs_tcp());
}

TEST_F(LocalPathSelectorTest, TriesOnceMoreWhenAnOpenLinkIsLostAndThenLeavesIt) {
  selector.opened();
  selector.lost("broken", true);
  EXPECT_TRUE(selector.is_wanted());
  selector.opened();
  selector.lost("broken", true);
  EXPECT_FALSE(selector.is_wanted());
}

TEST_F(LocalPathSelectorTest, ForgivesALossAfterALongTime) {
  selector.opened();
  selector.lost("broken", true);
  selector.opened();
  EXPECT_FALSE(is_tried_within(static_cast<int>(kLocalTrust / kTick)));
  selector.lost("broken", true);
  EXPECT_TRUE(selector.is_wanted());
}

TEST_F(LocalPathSelectorTest, IsTriedAgainBesideTheOthersNowAndThen) {
  selector.lost("nobody listens", true);
  EXPECT_FALSE(is_tried_within(kTicksToTrial - 1));
  EXPECT_TRUE(is_tried_within(1));
  EXPECT_TRUE(selector.is_wanted());
  EXPECT_TRUE(selector.needs_tcp());
  selector.opened();
  EXPECT_FALSE(selector.needs_tcp());
  EXPECT_EQ(selector.trouble(), "");
}

TEST_F(LocalPathSelectorTest, TrustsAnotherEndpointAtOnce) {
  selector.lost("nobody listens", true);
  selector.set_endpoint({"here", "submix-2"});
  EXPECT_TRUE(selector.is_wanted());
  EXPECT_FALSE(selector.needs_tcp());
}

}  // namespace
}  // namespace submix::link
