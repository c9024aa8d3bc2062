// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/edit.hpp"

#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::show {
namespace {

using ::testing::HasSubstr;

Show solo() {
  Show show;
  show.name = "solo";
  show.nodes = {{"a", ""}};
  show.submixes = {{"left", "a", {{"clip", "clip", {{"speed", 1.0}}, {}, false}}}};
  return show;
}

TEST(Edit, AssignsASubmixAndAddsTheNodeWhereItIsNew) {
  auto show = solo();
  ASSERT_TRUE(assign(show, "left", "b"));
  EXPECT_EQ(show.submixes[0].node, "b");
  EXPECT_EQ(show.nodes.size(), 2U);
  ASSERT_TRUE(assign(show, "left", ""));
  EXPECT_EQ(show.submixes[0].node, "");
}

TEST(Edit, TheSoundOfAClipMovesWithItsSubmix) {
  auto show = solo();
  show.submixes.push_back({"mix", "b", {}});
  const auto node_after = [&](const SoundInput& sound, std::string_view submix,
                              std::string_view node) {
    show.sound = sound;
    EXPECT_TRUE(assign(show, submix, node));
    return show.sound.node;
  };
  const auto from = show.find_submix("left")->node;
  EXPECT_EQ(node_after({from, "clip:left.look/clip"}, "left", "b"), "b");
  EXPECT_EQ(node_after({"b", "clip:left.clip"}, "left", ""), "b") << "nobody plays it";
  EXPECT_EQ(node_after({"b", "clip:left.clip"}, "left", "b"), "b");
  EXPECT_EQ(node_after({"b", "clip:left.clip"}, "mix", "c"), "b") << "another submix";
  EXPECT_EQ(node_after({"b", "hw:1,0"}, "left", "d"), "b") << "an input of the computer";
  EXPECT_EQ(node_after({"b", "clip:left.clip"}, "left", "e"), "b") << "it was on d";
}

TEST(Edit, SetsAndClearsAParameter) {
  auto show = solo();
  ASSERT_TRUE(set_parameter(show, {"left", "clip"}, "speed", 2.0));
  EXPECT_EQ(show.submixes[0].slots[0].parameters, (Parameters{{"speed", 2.0}}));
  ASSERT_TRUE(clear_parameter(show, {"left", "clip"}, "speed"));
  EXPECT_TRUE(show.submixes[0].slots[0].parameters.empty());
  ASSERT_TRUE(set_bypassed(show, {"left", "clip"}, true));
  EXPECT_TRUE(show.submixes[0].slots[0].is_bypassed);
}

TEST(Edit, SetsASlotsHelpers) {
  auto show = solo();
  ASSERT_TRUE(set_helpers(show, {"left", "clip"}, 3));
  EXPECT_EQ(show.submixes[0].slots[0].helpers, 3);
  EXPECT_THAT(why(set_helpers(show, {"left", "clp"}, 3)), HasSubstr("did you mean \"clip\""));
}

TEST(Edit, SetsAStreamsLinksByNumberOrByAddress) {
  auto show = solo();
  show.streams.push_back({"left", {"left", "out"}, {"mix", "in"}, {}, {}, {}, 2, {}});
  ASSERT_TRUE(set_links(show, "left", 3, {}));
  EXPECT_EQ(show.streams[0].link_count, 3);
  ASSERT_TRUE(set_links(show, "left", 3, {{"10.0.0.1", "10.0.0.2"}}));
  EXPECT_EQ(show.streams[0].routes.size(), 1U);
  EXPECT_EQ(show.streams[0].link_count, 1);
  ASSERT_TRUE(set_links(show, "left", 2, {}));
  EXPECT_TRUE(show.streams[0].routes.empty());
  EXPECT_THAT(why(set_links(show, "lefd", 2, {})), HasSubstr("did you mean \"left\""));
}

TEST(Edit, SetsAStreamsPolicyAndItsPauseBudgetWhereOneIsGiven) {
  auto show = solo();
  show.streams.push_back({"left", {"left", "out"}, {"mix", "in"}, {}, {}, {}, 2, {}});
  ASSERT_TRUE(set_policy(show, "left", InputPolicy::hold, std::chrono::milliseconds(40)));
  EXPECT_EQ(show.streams[0].policy, InputPolicy::hold);
  ASSERT_TRUE(set_policy(show, "left", InputPolicy::latest, std::nullopt));
  EXPECT_EQ(show.streams[0].policy, InputPolicy::latest);
  EXPECT_EQ(show.streams[0].pause_budget, std::chrono::milliseconds(40));
  EXPECT_THAT(why(set_policy(show, "lefd", InputPolicy::wait, {})),
              HasSubstr("did you mean \"left\""));
}

TEST(Edit, LeavesTheShowAloneWhenItFails) {
  auto show = solo();
  EXPECT_THAT(why(assign(show, "lefd", "b")), HasSubstr("did you mean \"left\""));
  EXPECT_THAT(why(assign(show, "left", "B b")), HasSubstr("cannot be a name"));
  EXPECT_THAT(why(set_parameter(show, {"left", "x"}, "a", 1.0)), HasSubstr("there are: clip"));
  EXPECT_THAT(why(set_bypassed(show, {"x", "clip"}, true)), HasSubstr("there are: left"));
  EXPECT_EQ(show, solo());
}

}  // namespace
}  // namespace submix::show
