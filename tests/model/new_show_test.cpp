// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/new_show.hpp"

#include "common/show/validate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

std::vector<std::string> nodes(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i)
    names.push_back(fmt::format("rack{}", i));
  return names;
}

NewShow on(std::size_t count) {
  NewShow wanted;
  wanted.nodes = nodes(count);
  return wanted;
}

TEST(NewShow, IsValidOnAnyNumberOfNodes) {
  for (std::size_t count = 0; count <= show::kNodesMax; ++count) {
    const auto problems = show::validate(make_show(on(count)));
    EXPECT_TRUE(problems.empty()) << count << " nodes: " << show::to_string(problems);
  }
}

TEST(NewShow, HasAPerformerOnEachNodeAndTheMixOnTheLast) {
  const auto show = make_show(on(3));
  ASSERT_EQ(show.submixes.size(), 3U);
  EXPECT_EQ(show.submixes[0].node, "rack0");
  EXPECT_EQ(show.submixes[1].node, "rack1");
  EXPECT_EQ(show.submixes[2].name, "mix");
  EXPECT_EQ(show.submixes[2].node, "rack2");
  EXPECT_EQ(show.streams.size(), 2U);
  EXPECT_EQ(show.submixes[2].slots.back().plugin, "window");
}

TEST(NewShow, FadesBetweenTwoPerformersAndLaysMoreOverEachOther) {
  const auto two = *make_show(on(3)).find_slot({"mix", "mixer"});
  EXPECT_EQ(two.parameters.at("side1"), show::ParameterValue(std::string("A")));
  EXPECT_EQ(two.parameters.at("side2"), show::ParameterValue(std::string("B")));
  EXPECT_TRUE(two.oscillators.contains("crossfade"));
  const auto three = *make_show(on(4)).find_slot({"mix", "mixer"});
  EXPECT_EQ(three.inputs->size(), 3U);
  EXPECT_EQ(three.parameters.at("level3"), show::ParameterValue(0.5));
  EXPECT_FALSE(three.parameters.contains("level1"));
}

TEST(NewShow, GoesOnWhenAPerformerFails) {
  for (const auto& stream : make_show(on(3)).streams) {
    EXPECT_EQ(stream.policy, show::InputPolicy::hold);
    EXPECT_EQ(stream.pause_budget, std::chrono::milliseconds(300));
  }
}

TEST(NewShow, DoesAllOnTheOnlyNode) {
  auto wanted = on(1);
  wanted.has_window = false;
  const auto show = make_show(wanted);
  ASSERT_EQ(show.submixes.size(), 1U);
  EXPECT_TRUE(show.streams.empty());
  EXPECT_EQ(show.submixes[0].slots.back().plugin, "null");
}

}  // namespace
}  // namespace submix::model
