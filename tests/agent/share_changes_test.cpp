// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/share_changes.hpp"

#include "tests/agent/slot.hpp"

#include <gtest/gtest.h>

namespace submix::agent {
namespace {

show::Stream stream(std::string name, show::Port from, show::Port to) {
  show::Stream stream;
  stream.name = std::move(name);
  stream.from = std::move(from);
  stream.to = std::move(to);
  return stream;
}

/// Submix "left" feeds "mix".
show::Show left_and_mix() {
  show::Show show;
  show.size = {64, 64};
  show.submixes = {{"left", "a", {slot("p", "pattern"), slot("out", "stream-out")}},
                   {"mix", "a", {slot("in", "stream-in"), slot("n", "null")}}};
  show.streams = {stream("s", {"left", "out"}, {"mix", "in"})};
  return show;
}

ToRebuild to_rebuild(const show::Show& before, const show::Show& after) {
  return submixes_to_rebuild(show::diff(before, after), before, after);
}

TEST(ShareChanges, NeedNothingOfAnUnchangedShare) {
  EXPECT_TRUE(to_rebuild(left_and_mix(), left_and_mix()).empty());
}

TEST(ShareChanges, RenewBothEndsOfAStreamThatIsTakenOut) {
  auto after = left_and_mix();
  after.streams.clear();
  EXPECT_EQ(to_rebuild(left_and_mix(), after), (ToRebuild{{"left", {"out"}}, {"mix", {"in"}}}));
}

TEST(ShareChanges, RenewNoSlotOfASubmixThatOnlyItsSlotsChange) {
  auto after = left_and_mix();
  after.submixes[0].slots[0].plugin = "noise";
  EXPECT_EQ(to_rebuild(left_and_mix(), after), (ToRebuild{{"left", {}}}));
}

TEST(ShareChanges, RenewAllStreamEndsAtAnotherSize) {
  auto after = left_and_mix();
  after.size = {128, 64};
  EXPECT_EQ(to_rebuild(left_and_mix(), after), (ToRebuild{{"left", {"out"}}, {"mix", {"in"}}}));
}

TEST(ShareChanges, AreATuningWhereOnlyParametersDiffer) {
  auto after = left_and_mix();
  after.submixes[0].slots[0].parameters["speed"] = 0.5;
  const auto tuned = show::diff(left_and_mix(), after);
  EXPECT_TRUE(is_tuned_only(tuned));
  EXPECT_TRUE(is_tuned(tuned, "left"));
  EXPECT_FALSE(is_tuned(tuned, "mix"));

  after.size = {128, 64};
  EXPECT_FALSE(is_tuned_only(show::diff(left_and_mix(), after)));
  EXPECT_FALSE(is_tuned_only(show::Difference())) << "nothing differs";
}

TEST(ShareChanges, GiveAStreamAwayToAnotherSubmixThatRuns) {
  const auto before = left_and_mix();
  auto after = before;
  after.submixes[1].name = "other";
  after.streams[0].to = {"other", "in"};
  const auto streams = streams_of("mix", before);
  ASSERT_EQ(streams.size(), 1U);
  EXPECT_TRUE(gives_stream_away("mix", streams, after, {}));
  EXPECT_FALSE(gives_stream_away("mix", streams, after, {"other"})) << "other has failed";
  EXPECT_FALSE(gives_stream_away("left", streams, after, {})) << "left keeps its end";
}

}  // namespace
}  // namespace submix::agent
