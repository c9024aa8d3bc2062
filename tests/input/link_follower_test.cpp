// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/link_follower.hpp"

#include <gtest/gtest.h>

namespace submix::input {
namespace {

using namespace std::chrono_literals;

class LinkFollowerTest : public ::testing::Test {
 protected:
  /// Follows once; afterwards both sides have the wanted tempo.
  void look() {
    const auto change = follower_.follow(show_, link_, now_);
    if (change.link) link_ = *change.link;
    if (change.show && is_show_changeable_) show_ = *change.show;
    now_ += 1s;
  }

  double show_ = 128;
  double link_ = 120;
  bool is_show_changeable_ = true;
  LocalTime now_ = LocalTime(1h);
  LinkFollower follower_;
};

TEST_F(LinkFollowerTest, LetsTheShowBegin) {
  look();
  EXPECT_EQ(link_, 128);
}

TEST_F(LinkFollowerTest, LetsWhoChangesItLead) {
  look();
  link_ = 133.5;
  look();
  EXPECT_EQ(show_, 133.5);
  look();
  show_ = 90;
  look();
  EXPECT_EQ(link_, 90);
  look();
  EXPECT_EQ(show_, 90);
}

TEST_F(LinkFollowerTest, DoesNotTakeAnEditThatIsNotSeenYetForAChange) {
  look();
  EXPECT_EQ(follower_.follow(128, 133, now_).show, 133);
  EXPECT_EQ(follower_.follow(128, 140, now_ + 50ms).show, 140);
  const auto late = follower_.follow(133, 140, now_ + 100ms);  // the first edit is visible
  EXPECT_FALSE(late.link || late.show);
  const auto settled = follower_.follow(140, 140, now_ + 1s);
  EXPECT_FALSE(settled.link || settled.show);
}

TEST_F(LinkFollowerTest, DoesNotHoldOthersBackByAShowThatCannotBeChanged) {
  look();
  is_show_changeable_ = false;
  link_ = 140;
  for (int i = 0; i < 5; ++i)
    look();
  EXPECT_EQ(link_, 140);
}

TEST_F(LinkFollowerTest, StaysWithinWhatLinkCan) {
  show_ = 10;
  for (int i = 0; i < 3; ++i)
    look();
  EXPECT_EQ(link_, 20);
  EXPECT_EQ(show_, 10) << "the show's own is left alone";
}

TEST_F(LinkFollowerTest, LetsOtherMembersOfLinkLeadTheBeat) {
  const auto change = follower_.follow_beat({.show = 101.0, .link = 7.5, .has_peers = true}, now_);
  EXPECT_EQ(change.show_shift, -1.5) << "the shorter way round the bar";
  EXPECT_EQ(change.link, std::nullopt);
}

TEST_F(LinkFollowerTest, SetsTheBeatOfALinkWithoutOthers) {
  const auto change = follower_.follow_beat({.show = 101.0, .link = 7.5}, now_);
  EXPECT_EQ(change.link, 101.0);
  EXPECT_EQ(change.show_shift, std::nullopt);
}

TEST_F(LinkFollowerTest, LeavesABeatThatIsInTimeOrWasJustSet) {
  const LinkFollower::Beats in_time{.show = 101.0, .link = 9.01, .has_peers = true};
  EXPECT_EQ(follower_.follow_beat(in_time, now_).show_shift, std::nullopt);
  const LinkFollower::Beats apart{.show = 101.0, .link = 9.5, .has_peers = true};
  EXPECT_EQ(follower_.follow_beat(apart, now_).show_shift, 0.5);
  EXPECT_EQ(follower_.follow_beat(apart, now_ + 900ms).show_shift, std::nullopt);
  EXPECT_EQ(follower_.follow_beat(apart, now_ + 1s).show_shift, 0.5);
}

}  // namespace
}  // namespace submix::input
