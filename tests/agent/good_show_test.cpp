// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/good_show.hpp"

#include "common/show/parse.hpp"

#include <gtest/gtest.h>

namespace submix::agent {
namespace {

using namespace std::chrono_literals;
using cluster::SubmixState;

class GoodShowTest : public ::testing::Test {
 protected:
  GoodShowTest() {
    show_.name = "duo";
    show_.nodes = {{"a", ""}, {"b", ""}};
    const show::Slot pattern{"p", "pattern", {}, {}, false};
    show_.submixes = {{"left", "a", {pattern}}, {"right", "b", {pattern}}};
  }

  static cluster::NodeReport report(const std::string& node, std::uint64_t revision,
                                    const cluster::SubmixReport& submix) {
    cluster::NodeReport report;
    report.node = node;
    report.show_revision = revision;
    report.submixes = {submix};
    return report;
  }

  /// The kept show, once a period has passed since the show began to run well.
  static std::optional<std::string> for_disk_in_time(GoodShow& show, LocalTime now) {
    EXPECT_FALSE(show.take_for_disk(now));
    return show.take_for_disk(now + GoodShow::kPeriod);
  }
  static std::optional<std::string> for_cluster_in_time(GoodShow& show, LocalTime now) {
    EXPECT_FALSE(show.take_for_cluster(now));
    return show.take_for_cluster(now + GoodShow::kPeriod);
  }

  show::Show show_;
  GoodShow on_a_{"a"};
  const LocalTime now_{100s};
};

TEST_F(GoodShowTest, IsKeptOnceItsSubmixesHaveMadeFrames) {
  on_a_.follow(show_, 7);
  on_a_.hear(
      report("a", 7, {.name = "left", .state = SubmixState::running, .awaits_first_frame = true}));
  EXPECT_FALSE(for_disk_in_time(on_a_, now_));
  on_a_.hear(report("a", 7, {.name = "left", .state = SubmixState::running}));
  const auto kept = for_disk_in_time(on_a_, now_ + 10s);
  ASSERT_TRUE(kept);
  const auto read = show::parse(*kept, "kept");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->name, "duo");
  EXPECT_FALSE(on_a_.take_for_disk(now_ + 1min)) << "once";
}

TEST_F(GoodShowTest, IsNoneWithAFault) {
  on_a_.follow(show_, 7);
  on_a_.hear(
      report("a", 7, {.name = "left", .state = SubmixState::running, .error = "no such file"}));
  EXPECT_FALSE(for_disk_in_time(on_a_, now_));
}

TEST_F(GoodShowTest, IsJudgedByReportsOfItsOwnRevision) {
  on_a_.hear(report("a", 6, {.name = "left", .state = SubmixState::running}));
  on_a_.follow(show_, 7);
  EXPECT_FALSE(for_disk_in_time(on_a_, now_));
}

TEST_F(GoodShowTest, IsNoneWithTrouble) {
  on_a_.follow(show_, 7);
  on_a_.hear(report("a", 7, {.name = "left", .state = SubmixState::running, .has_trouble = true}));
  EXPECT_FALSE(for_disk_in_time(on_a_, now_));
}

TEST_F(GoodShowTest, IsNoneWhereTroubleComesLaterThanItsFirstFrames) {
  on_a_.follow(show_, 7);
  on_a_.hear(report("a", 7, {.name = "left", .state = SubmixState::running}));
  EXPECT_FALSE(on_a_.take_for_disk(now_));
  on_a_.hear(report("a", 7, {.name = "left", .state = SubmixState::running, .has_trouble = true}));
  EXPECT_FALSE(on_a_.take_for_disk(now_ + 1s));
  on_a_.hear(report("a", 7, {.name = "left", .state = SubmixState::running}));
  EXPECT_FALSE(on_a_.take_for_disk(now_ + GoodShow::kPeriod)) << "it begins anew";
  EXPECT_TRUE(on_a_.take_for_disk(now_ + 2 * GoodShow::kPeriod));
}

TEST_F(GoodShowTest, IsOneThatFaultlessShowsHaveFollowed) {
  on_a_.follow(show_, 7);
  on_a_.hear(report("a", 7, {.name = "left", .state = SubmixState::running}));
  EXPECT_FALSE(on_a_.take_for_disk(now_));
  show_.name = "moved fader";
  on_a_.follow(show_, 8);
  EXPECT_FALSE(on_a_.take_for_disk(now_ + GoodShow::kPeriod)) << "nobody has told of it yet";
  on_a_.hear(report("a", 8, {.name = "left", .state = SubmixState::running}));
  const auto kept = on_a_.take_for_disk(now_ + GoodShow::kPeriod);
  ASSERT_TRUE(kept);
  EXPECT_EQ(show::parse(*kept, "kept")->name, "duo");
  EXPECT_TRUE(for_disk_in_time(on_a_, now_ + GoodShow::kPeriod)) << "and then the next one";
}

TEST_F(GoodShowTest, OfTheClusterIsGoodOnAllNodes) {
  on_a_.follow(show_, 7);
  on_a_.hear(report("a", 7, {.name = "left", .state = SubmixState::running}));
  on_a_.hear(report("b", 7, {.name = "right", .state = SubmixState::failed, .error = "no"}));
  EXPECT_FALSE(for_cluster_in_time(on_a_, now_));
  on_a_.hear(report("b", 8, {.name = "right", .state = SubmixState::running}));
  EXPECT_TRUE(for_cluster_in_time(on_a_, now_ + 10s));
}

TEST_F(GoodShowTest, OfTheClusterIsToldByOneNode) {
  GoodShow on_b("b");
  on_b.follow(show_, 7);
  on_b.hear(report("a", 7, {.name = "left", .state = SubmixState::running}));
  on_b.hear(report("b", 7, {.name = "right", .state = SubmixState::running}));
  EXPECT_TRUE(for_disk_in_time(on_b, now_));
  EXPECT_FALSE(for_cluster_in_time(on_b, now_)) << "the first submix's node does";
}

TEST_F(GoodShowTest, IsNotKeptForEachMoveOfAFader) {
  const cluster::SubmixReport left{.name = "left", .state = SubmixState::running};
  on_a_.follow(show_, 7);
  on_a_.hear(report("a", 7, left));
  ASSERT_TRUE(for_disk_in_time(on_a_, now_));
  const auto then = now_ + GoodShow::kPeriod;
  on_a_.follow(show_, 8);
  on_a_.hear(report("a", 8, left));
  EXPECT_FALSE(on_a_.take_for_disk(then));
  EXPECT_FALSE(on_a_.take_for_disk(then + GoodShow::kPeriod - 1ms));
  EXPECT_TRUE(on_a_.take_for_disk(then + GoodShow::kPeriod));
}

}  // namespace
}  // namespace submix::agent
