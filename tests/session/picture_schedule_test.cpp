// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/picture_schedule.hpp"

#include <gtest/gtest.h>

namespace submix::session {
namespace {

using namespace std::chrono_literals;

/// `count` running submixes "0", "1", … on one healthy node.
model::ClusterView running(int count) {
  model::ClusterView view;
  view.nodes.emplace_back();
  view.nodes[0].name = "rack1";
  view.nodes[0].health = model::Health::healthy;
  for (int i = 0; i < count; ++i) {
    auto& submix = view.submixes.emplace_back();
    submix.name = std::to_string(i);
    submix.node = "rack1";
    submix.state = model::SubmixState::running;
  }
  return view;
}

std::vector<TakePicture> take_due(PictureSchedule& schedule, const model::ClusterView& view,
                                  LocalTime now) {
  schedule.follow(view);
  return schedule.take_due(now);
}

const LocalTime kStart = LocalTime(1h);
const PictureKey kFirst{"0", ""};

TEST(PictureSchedule, HasOneRequestUnderWayForEachPicture) {
  PictureSchedule schedule;
  schedule.watch({kFirst});
  EXPECT_EQ(take_due(schedule, running(1), kStart).size(), 1U);
  EXPECT_TRUE(take_due(schedule, running(1), kStart + 1h).empty());
  schedule.finished(kFirst, true, kStart);
  EXPECT_TRUE(take_due(schedule, running(1), kStart).empty());
  EXPECT_EQ(take_due(schedule, running(1), kStart + kPicturePeriod).size(), 1U);
}

TEST(PictureSchedule, TheLargePictureIsAskedForAsOftenAsTheShowMoves) {
  PictureSchedule schedule;
  schedule.watch({kFirst}, kFirst);
  EXPECT_EQ(schedule.next_due(), LocalTime{}) << "at once";
  ASSERT_EQ(take_due(schedule, running(1), kStart).size(), 1U);
  EXPECT_EQ(schedule.next_due(), std::nullopt) << "it is under way";
  schedule.finished(kFirst, true, kStart + 10ms);
  EXPECT_EQ(schedule.next_due(), kStart + kLargePicturePeriod) << "however long the answer took";
  ASSERT_EQ(take_due(schedule, running(1), kStart + kLargePicturePeriod).size(), 1U);
  schedule.finished(kFirst, true, kStart + 1s);
  EXPECT_EQ(schedule.next_due(), kStart + 1s) << "a slow cluster is not asked for more";
}

TEST(PictureSchedule, WaitsLongerAfterAFailure) {
  PictureSchedule schedule;
  schedule.watch({kFirst});
  ASSERT_EQ(take_due(schedule, running(1), kStart).size(), 1U);
  schedule.finished(kFirst, false, kStart);
  EXPECT_TRUE(take_due(schedule, running(1), kStart + kPicturePeriod).empty());
  EXPECT_EQ(take_due(schedule, running(1), kStart + kPictureRetry).size(), 1U);
}

TEST(PictureSchedule, AsksOnlyHealthyNodes) {
  PictureSchedule schedule;
  schedule.watch({kFirst, {"unknown", ""}});
  auto view = running(1);
  view.nodes[0].health = model::Health::silent;
  EXPECT_TRUE(take_due(schedule, view, kStart).empty());
}

TEST(PictureSchedule, GivesEveryPictureItsTurn) {
  PictureSchedule schedule;
  std::vector<PictureKey> keys;
  for (int i = 0; i < 10; ++i)
    keys.push_back({std::to_string(i), ""});
  schedule.watch(keys);
  std::map<PictureKey, int> turns;
  auto now = kStart;
  for (int round = 0; round < 10; ++round) {
    const auto due = take_due(schedule, running(10), now);
    EXPECT_LE(due.size(), PictureSchedule::kInFlightMax);
    now += kPicturePeriod;
    for (const auto& picture : due) {
      ++turns[picture.key];
      schedule.finished(picture.key, true, now);
    }
  }
  EXPECT_EQ(turns.size(), 10U);
}

TEST(PictureSchedule, WatchesAllOfANewPage) {
  PictureSchedule schedule;
  const auto page = [](int first) {
    std::vector<PictureKey> keys;
    for (int i = 0; i < 40; ++i)
      keys.push_back({std::to_string(first + i), ""});
    return keys;
  };
  schedule.watch(page(0));
  schedule.watch(page(100));
  for (const auto& key : page(100))
    EXPECT_TRUE(schedule.is_watched(key)) << key.submix;
}

TEST(PictureSchedule, ForgetsAPictureThatIsNoLongerWatched) {
  PictureSchedule schedule;
  schedule.watch({kFirst});
  ASSERT_EQ(take_due(schedule, running(1), kStart).size(), 1U);
  schedule.watch({});
  EXPECT_FALSE(schedule.is_watched(kFirst));
  schedule.watch({kFirst});
  EXPECT_TRUE(take_due(schedule, running(1), kStart + 1h).empty())
      << "the first is still under way";
  schedule.finished(kFirst, true, kStart);
  EXPECT_EQ(take_due(schedule, running(1), kStart + 1h).size(), 1U);
}

}  // namespace
}  // namespace submix::session
