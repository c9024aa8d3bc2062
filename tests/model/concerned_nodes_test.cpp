// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/concerned_nodes.hpp"

#include <gtest/gtest.h>

namespace submix::model {
namespace {

using Nodes = std::set<std::string>;

show::Show duo() {
  show::Show show;
  show::Slot clip{"clip", "clip", {{"file", std::string("a.mp4")}, {"speed", 1.0}}, {}, false};
  show.submixes = {{"left", "rack1", {clip}}, {"right", "rack2", {clip}}};
  return show;
}

TEST(ConcernedNodes, AreAllWhereThereWasNoShow) {
  EXPECT_EQ(concerned_nodes(nullptr, duo()), (Nodes{"rack1", "rack2"}));
}

TEST(ConcernedNodes, AreNoneForANumber) {
  const auto before = duo();
  auto after = before;
  after.submixes[0].slots[0].parameters["speed"] = 2.0;
  EXPECT_EQ(concerned_nodes(&before, after), Nodes());
}

TEST(ConcernedNodes, AreThoseThatOpenAnotherFile) {
  const auto before = duo();
  auto after = before;
  after.submixes[0].slots[0].parameters["file"] = std::string("typo.mp4");
  EXPECT_EQ(concerned_nodes(&before, after), Nodes{"rack1"});
}

TEST(ConcernedNodes, AreThoseThatPlayAnotherPartOfAClip) {
  const auto before = duo();
  for (const auto* end : {"in", "out"}) {
    auto after = before;
    after.submixes[1].slots[0].parameters[end] = 3.0;
    EXPECT_EQ(concerned_nodes(&before, after), Nodes{"rack2"}) << end;
  }
}

TEST(ConcernedNodes, AreNoneForPartsAndPointsOfABank) {
  const auto before = duo();
  auto after = before;
  after.submixes[1].slots[0].parameters["parts"] = std::string("1-2");
  after.submixes[1].slots[0].parameters["points"] = std::string("1");
  EXPECT_EQ(concerned_nodes(&before, after), Nodes()) << "the clip's node refuses none";
  EXPECT_EQ(concerned_nodes(&after, before), Nodes());
}

TEST(ConcernedNodes, IsTheNewNodeOfASubmixThatMoves) {
  const auto before = duo();
  auto after = before;
  after.submixes[0].node = "rack3";
  EXPECT_EQ(concerned_nodes(&before, after), Nodes{"rack3"});
}

TEST(ConcernedNodes, AreAllForAnotherSize) {
  const auto before = duo();
  auto after = before;
  after.size = {640, 360};
  EXPECT_EQ(concerned_nodes(&before, after), (Nodes{"rack1", "rack2"}));
}

TEST(ConcernedNodes, IsWhereAMacroThatChangesStands) {
  auto before = duo();
  before.submixes.push_back(
      {"look", "", {{"in", "stream-in", {}, {}, false}, {"out", "stream-out", {}, {}, false}}});
  before.submixes[0].slots.push_back({"look", "submix/look", {}, {}, false});
  auto after = before;
  after.submixes[2].slots.insert(after.submixes[2].slots.begin() + 1,
                                 {"blur", "frei0r/squareblur", {}, {}, false});
  EXPECT_EQ(concerned_nodes(&before, after), Nodes{"rack1"});
}

}  // namespace
}  // namespace submix::model
