// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/diff.hpp"

#include <gtest/gtest.h>

namespace submix::show {
namespace {

Show base() {
  Show show;
  show.submixes = {
      {"left",
       "a",
       {{"clip", "clip", {{"speed", 1.0}}, {}, false}, {"out", "stream-out", {}, {}, false}}},
      {"mix", "b", {{"in", "stream-in", {}, {}, false}}}};
  show.streams = {{"left", {"left", "out"}, {"mix", "in"}, {}, {}, {}, 2, {}}};
  return show;
}

TEST(Diff, IsEmptyForEqualShows) {
  EXPECT_TRUE(diff(base(), base()).is_empty());
}

TEST(Diff, TellsAddedFromRemoved) {
  auto after = base();
  after.submixes.erase(after.submixes.begin());
  after.streams.clear();
  EXPECT_EQ(diff(base(), after).removed, std::vector<std::string>{"left"});
  EXPECT_EQ(diff(base(), after).streams_removed, std::vector<std::string>{"left"});
  EXPECT_EQ(diff(after, base()).added, std::vector<std::string>{"left"});
  EXPECT_EQ(diff(after, base()).streams_added, std::vector<std::string>{"left"});
}

TEST(Diff, TellsMovedFromRebuilt) {
  auto after = base();
  after.submixes[0].node = "b";
  after.submixes[1].slots.push_back({"end", "null", {}, {}, false});
  EXPECT_EQ(diff(base(), after).moved, std::vector<std::string>{"left"});
  EXPECT_EQ(diff(base(), after).rebuilt, std::vector<std::string>{"mix"});
}

TEST(Diff, RebuildsWhereAPluginMovesToAnotherProcess) {
  auto after = base();
  after.submixes[0].slots[0].hosting = Hosting::in_process;
  EXPECT_EQ(diff(base(), after).rebuilt, std::vector<std::string>{"left"});
}

TEST(Diff, RebuildsWhereHelpersComeOrGo) {
  auto after = base();
  after.submixes[0].slots[0].helpers = 2;
  EXPECT_EQ(diff(base(), after).rebuilt, std::vector<std::string>{"left"});
}

TEST(Diff, RebuildsWhereTheFramesInFlightChange) {
  auto after = base();
  after.submixes[0].frames_in_flight = 3;
  EXPECT_EQ(diff(base(), after).rebuilt, std::vector<std::string>{"left"});
}

TEST(Diff, TellsParametersAndBypassWithoutARebuild) {
  auto after = base();
  after.submixes[0].slots[0].parameters = {{"loop", true}};
  after.submixes[0].slots[0].is_bypassed = true;
  const auto difference = diff(base(), after);
  ASSERT_EQ(difference.tuned.size(), 1U);
  EXPECT_EQ(
      difference.tuned[0],
      (SlotChange{
          {"left", "clip"}, {{"loop", ParameterValue(true)}, {"speed", std::nullopt}}, true}));
  EXPECT_TRUE(difference.rebuilt.empty());
}

TEST(Diff, TellsAChangedStreamAndFormat) {
  auto after = base();
  after.streams[0].congestion = "bbr";
  after.streams[0].link_count = 3;
  after.size = {640, 480};
  EXPECT_EQ(diff(base(), after).streams_changed, std::vector<std::string>{"left"});
  EXPECT_TRUE(diff(base(), after).streams_tuned.empty());
  EXPECT_TRUE(diff(base(), after).is_format_changed);
}

TEST(Diff, TellsAStreamThatCanGoOnFromOneThatCannot) {
  for (const auto policy :
       {InputPolicy::hold, InputPolicy::black, InputPolicy::latest, InputPolicy::standby}) {
    auto tuned = base();
    tuned.streams[0].policy = policy;
    tuned.streams[0].pause_budget = std::chrono::milliseconds(40);
    tuned.streams[0].standby = "break.png";
    EXPECT_EQ(diff(base(), tuned).streams_tuned, std::vector<std::string>{"left"});
    EXPECT_TRUE(diff(base(), tuned).streams_changed.empty());
  }
  auto after = base();
  after.streams[0].link_count = 3;
  EXPECT_EQ(diff(base(), after).streams_tuned, std::vector<std::string>{"left"});
  after.streams[0].routes = {{"10.0.0.1", "10.0.0.2"}};
  EXPECT_EQ(diff(base(), after).streams_tuned, std::vector<std::string>{"left"});
  after.streams[0].is_local_allowed = false;
  EXPECT_EQ(diff(base(), after).streams_tuned, std::vector<std::string>{"left"});
  EXPECT_TRUE(diff(base(), after).streams_changed.empty());
  EXPECT_FALSE(diff(base(), after).is_empty());
}

TEST(Diff, TellsAnotherCongestionControl) {
  auto after = base();
  after.streams[0].congestion = "dctcp";
  EXPECT_EQ(diff(base(), after).streams_changed, std::vector<std::string>{"left"});
}

TEST(Diff, TellsAStreamThatIsToCarryTransparency) {
  auto after = base();
  after.streams[0].pixels = PixelFormat::rgba;
  EXPECT_EQ(diff(base(), after).streams_changed, std::vector<std::string>{"left"});
}

TEST(Diff, TellsAStreamThatIsNoLongerEncrypted) {
  auto after = base();
  after.streams[0].is_encrypted = false;
  EXPECT_EQ(diff(base(), after).streams_changed, std::vector<std::string>{"left"});
}

TEST(Diff, TellsAStreamThatIsToHaveChecksums) {
  auto after = base();
  after.streams[0].checksum = Checksum::xxh3;
  EXPECT_EQ(diff(base(), after).streams_changed, std::vector<std::string>{"left"});
}

}  // namespace
}  // namespace submix::show
