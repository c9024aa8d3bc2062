// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/local_way.hpp"

#include "common/link/timing.hpp"

#include <gtest/gtest.h>

#include <string>

namespace submix::link {
namespace {

const LocalEndpoint kEndpoint{"here", "submix-1"};
constexpr int kTicksToTrial = static_cast<int>(kLocalTrialPause / kTick);

class LocalWayTest : public ::testing::Test {
 protected:
  LocalWayTest() { way.set_endpoint(kEndpoint); }
  bool is_tried_within(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      if (way.tick()) return true;
    }
    return false;
  }
  LocalWay way{"here"};
};

TEST_F(LocalWayTest, IsWantedWhereTheDoorIsOnThisMachine) {
  EXPECT_TRUE(way.is_wanted());
  EXPECT_FALSE(way.needs_others());
}

TEST_F(LocalWayTest, IsNotWantedToAnotherMachine) {
  way.set_endpoint({"elsewhere", "submix-1"});
  EXPECT_FALSE(way.is_wanted());
  EXPECT_TRUE(way.needs_others());
}

TEST_F(LocalWayTest, IsNotWantedWhereNobodyKnowsTheMachine) {
  LocalWay nowhere{""};
  nowhere.set_endpoint({"", ""});
  EXPECT_FALSE(nowhere.is_wanted());
}

TEST_F(LocalWayTest, IsNotWantedWithAnImpossibleName) {
  way.set_endpoint({"here", ""});
  EXPECT_FALSE(way.is_wanted());
  way.set_endpoint({"here", std::string(200, 'x')});
  EXPECT_FALSE(way.is_wanted());
}

TEST_F(LocalWayTest, IsNotWantedWhereItIsRefused) {
  way.opened();
  way.allow(false);
  EXPECT_FALSE(way.is_wanted());
  EXPECT_FALSE(way.is_open());
  EXPECT_TRUE(way.needs_others());
  way.allow(true);
  EXPECT_TRUE(way.is_wanted());
}

TEST_F(LocalWayTest, LeavesTheStreamToOthersWhenItsDoorIsClosed) {
  way.lost("nobody listens", true);
  EXPECT_FALSE(way.is_wanted());
  EXPECT_TRUE(way.needs_others());
  EXPECT_EQ(way.trouble(), "nobody listens");
}

TEST_F(LocalWayTest, WaitsForAReceiverThatIsNotThereYet) {
  way.lost("no such stream yet", false);
  EXPECT_TRUE(way.is_wanted());
  EXPECT_FALSE(way.needs_others());
}

TEST_F(LocalWayTest, TriesOnceMoreWhenAnOpenLinkIsLostAndThenLeavesIt) {
  way.opened();
  way.lost("broken", true);
  EXPECT_TRUE(way.is_wanted());
  way.opened();
  way.lost("broken", true);
  EXPECT_FALSE(way.is_wanted());
}

TEST_F(LocalWayTest, ForgivesALossAfterALongTime) {
  way.opened();
  way.lost("broken", true);
  way.opened();
  EXPECT_FALSE(is_tried_within(static_cast<int>(kLocalTrust / kTick)));
  way.lost("broken", true);
  EXPECT_TRUE(way.is_wanted());
}

TEST_F(LocalWayTest, IsTriedAgainBesideTheOthersNowAndThen) {
  way.lost("nobody listens", true);
  EXPECT_FALSE(is_tried_within(kTicksToTrial - 1));
  EXPECT_TRUE(is_tried_within(1));
  EXPECT_TRUE(way.is_wanted());
  EXPECT_TRUE(way.needs_others());
  way.opened();
  EXPECT_FALSE(way.needs_others());
  EXPECT_EQ(way.trouble(), "");
}

TEST_F(LocalWayTest, TrustsAnotherDoorAtOnce) {
  way.lost("nobody listens", true);
  way.set_endpoint({"here", "submix-2"});
  EXPECT_TRUE(way.is_wanted());
  EXPECT_FALSE(way.needs_others());
}

}  // namespace
}  // namespace submix::link
