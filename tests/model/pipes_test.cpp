// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/pipes.hpp"

#include "common/show/parse.hpp"
#include "common/show/validate.hpp"
#include "controller/model/edit/new_show.hpp"
#include "tests/model/edited.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace submix::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PluginMap plugins_for_pipes() {
  PluginMap map;
  const std::vector<std::pair<std::string, std::string>> kinds{
      {"pattern", "source"}, {"stamp", "filter"}, {"mix", "mixer"}, {"window", "output"}};
  for (const auto& [id, kind] : kinds) {
    map[id].id = id;
    map[id].kind = kind;
  }
  for (const auto* level : {"level1", "level2", "level3", "level4"})
    map["mix"].parameters.push_back({level, "number", "", 1.0, 0, 1, {}});
  return map;
}

/// A mix of two performers; pipes come and go.
class PipesTest : public ::testing::Test {
 protected:
  void make(const Result<Edit>& edit) {
    ASSERT_TRUE(edit) << edit.error().message;
    ASSERT_TRUE(apply(show_, *edit));
    EXPECT_EQ(to_string(show::validate(show_)), "");
  }
  void add_out(const std::string& name, const show::Port& from, bool is_lossless = false) {
    make(add_pipe_out(show_, plugins_, {name, "stdin of a program", from, is_lossless}));
  }
  void add_in(const std::string& name, const std::string& node, bool is_lossless = false) {
    make(add_pipe_in(
        show_, plugins_,
        {{.name = name, .mix = "mix", .node = node}, "stdout of a program", is_lossless}));
  }
  void remove(const std::string& node) { make(remove_pipe(show_, plugins_, node)); }

  const PluginMap plugins_ = plugins_for_pipes();
  show::Show show_ = make_show({.nodes = {"left", "right", "desk"}});
  const std::string before_ = show::to_toml(show_);
};

TEST_F(PipesTest, AProgramReadsWhatTheSubmixShowsAndMakesNobodyWait) {
  add_out("pipe", {"mix", ""});
  const auto& stream = *show_.find_stream("pipe");
  EXPECT_EQ(stream.from, (show::Port{"mix", "pipe"}));
  EXPECT_EQ(stream.policy, show::InputPolicy::latest);
  EXPECT_EQ(show_.find_slot({"mix", "pipe"})->inputs, std::vector<std::string>{"mixer"});
  EXPECT_EQ(show_.find_submix("pipe")->node, "pipe");
  EXPECT_THAT(pipe_nodes(show_), ElementsAre("pipe"));
  EXPECT_THAT(neighbors_of_pipe(show_, "pipe"), ElementsAre("mix"));
}

// The pipe could not be ended: its node ran a layer.
TEST_F(PipesTest, ANewLayerIsNotForTheNodeThatLeavesWithThePipe) {
  add_in("guest", "guest-pipe");
  for (const std::string node : {"left", "right", "desk"})
    show_.submixes.push_back({.name = "more-" + node, .node = node, .slots = {}});
  EXPECT_EQ(node_for_layer(show_), "left") << "two submixes each, and one on the pipe's node";
}

TEST_F(PipesTest, OnlyALosslessPipeMakesTheShowWait) {
  add_out("pipe", {"mix", ""}, true);
  EXPECT_EQ(show_.find_stream("pipe")->policy, show::InputPolicy::wait);
  EXPECT_EQ(show_.find_stream("pipe")->pause_budget, show::kPauseBudgetMax);
  add_in("guest", "guest-pipe", true);
  EXPECT_EQ(show_.find_stream("guest")->policy, show::InputPolicy::wait);
  add_in("other", "other-pipe");
  EXPECT_EQ(show_.find_stream("other")->policy, show::InputPolicy::hold);
}

TEST_F(PipesTest, AStreamOutOfTheShowIsUsed) {
  add_out("pipe", {"layer-1", ""});
  EXPECT_EQ(show_.find_stream("pipe")->from, (show::Port{"layer-1", "out"}));
  EXPECT_EQ(show_.find_submix("layer-1")->slots.back().name, "out");
}

TEST_F(PipesTest, ASlotMayBeNamed) {
  add_out("pipe", {"mix", "layer-1"});
  EXPECT_EQ(show_.find_slot({"mix", "pipe"})->inputs, std::vector<std::string>{"layer-1"});
}

TEST_F(PipesTest, APipeThatLeavesLeavesNothingBehind) {
  add_out("pipe", {"mix", ""});
  remove("pipe");
  EXPECT_EQ(show::to_toml(show_), before_);
  add_in("guest", "guest-pipe");
  remove("guest-pipe");
  EXPECT_THAT(pipe_nodes(show_), IsEmpty());
  EXPECT_EQ(show_.find_submix("guest"), nullptr);
  EXPECT_EQ(show_.find_slot({"mix", "guest"}), nullptr);
}

TEST_F(PipesTest, EachPipeHasItsOwnOutput) {
  add_out("first", {"mix", ""});
  add_out("second", {"mix", "layer-1"});
  EXPECT_EQ(show_.find_slot({"mix", "second"})->inputs, std::vector<std::string>{"layer-1"});
  remove("first");
  EXPECT_EQ(show_.find_slot({"mix", "first"}), nullptr);
  EXPECT_EQ(show_.find_stream("second")->from, (show::Port{"mix", "second"}));
}

TEST_F(PipesTest, WhatOthersHaveAddedSinceStays) {
  add_out("pipe", {"mix", ""});
  show_.nodes.push_back({"late", ""});
  make(add_layer(show_, plugins_, {.name = "third", .mix = "mix", .node = "late"}));
  remove("pipe");
  EXPECT_NE(show_.find_submix("third"), nullptr);
  EXPECT_NE(show_.find_stream("third"), nullptr);
  EXPECT_THAT(pipe_nodes(show_), IsEmpty());
}

TEST_F(PipesTest, AnOutputThatSomebodyElseReadsStays) {
  add_out("pipe", {"mix", ""});
  show_.nodes.push_back({"wall", ""});
  const auto screen = add_submix(show_, {"screen", "wall"});
  ASSERT_TRUE(screen && apply(show_, *screen));
  show_.find_submix("screen")->slots = {{"in", std::string(show::kStreamInPlugin), {}, {}, false},
                                        {"window", "window", {}, {}, false}};
  show::Stream stream;
  stream.name = "wall";
  stream.from = {"mix", "pipe"};
  stream.to = {"screen", "in"};
  show_.streams.push_back(stream);
  remove("pipe");
  EXPECT_NE(show_.find_slot({"mix", "pipe"}), nullptr);
  EXPECT_EQ(show_.find_submix("pipe"), nullptr);
}

TEST_F(PipesTest, ImpossibleOnesAreRefusedWithTheReason) {
  EXPECT_THAT(why(add_pipe_out(show_, plugins_, {"pipe", "", {"nobody", ""}, false})),
              HasSubstr("nobody"));
  EXPECT_THAT(why(add_pipe_out(show_, plugins_, {"pipe", "", {"mix", "nothing"}, false})),
              HasSubstr("nothing"));
  EXPECT_THAT(why(add_pipe_out(show_, plugins_, {"mix", "", {"mix", ""}, false})),
              HasSubstr("mix"));
  const NewPipeIn taken{{.name = "layer-1", .mix = "mix", .node = "pipe"}, "", false};
  EXPECT_THAT(why(add_pipe_in(show_, plugins_, taken)), HasSubstr("\"layer-1\""));
  EXPECT_EQ(show::to_toml(show_), before_);
}

TEST_F(PipesTest, NoOtherSubmixIsRemovedAsAPipe) {
  EXPECT_THAT(why(remove_pipe(show_, plugins_, "left")),
              HasSubstr("runs submix \"layer-1\", which is no pipe"));
}

}  // namespace
}  // namespace submix::model
