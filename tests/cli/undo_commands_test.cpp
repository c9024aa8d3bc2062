// SPDX-License-Identifier: GPL-3.0-or-later
// Steps that `submix undo` and `redo` take back and repeat, and parts that they leave alone.
#include "tests/cli/cluster_commands.hpp"
#include "tests/cli/fake_node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>

namespace submix::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(CommandsTest, ANewShowIsBegunAndUndone) {
  EXPECT_THAT(run({"show", "new", "duo", "--size", "1x1"}).err, HasSubstr("is not within"));
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  const auto begun = run(
      {"show", "new", "duo", "--node", "desk", "--size", "640x360", "--rate", "25", "--no-wait"});
  EXPECT_EQ(begun.status, kOk) << begun.err;
  EXPECT_EQ(desired().name, "duo");
  EXPECT_EQ(desired().size, (Size{640, 360}));
  EXPECT_EQ(run({"undo"}).out, "undo: new show \"duo\"\n");
  EXPECT_EQ(desired().name, "solo");
}

TEST_F(CommandsTest, UndoTakesBackStepByStepAndRedoDoesThemAgain) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  const auto speed = [&] {
    return desired().find_slot({"left", "pattern"})->parameters.at("speed");
  };
  EXPECT_THAT(run({"undo"}).err,
              HasSubstr("nothing to undo: only your own commands on this machine"));
  ASSERT_EQ(run({"set", "left.pattern.speed", "3"}).status, kOk);
  ASSERT_EQ(run({"set", "left.pattern.speed", "5"}).status, kOk);
  ASSERT_EQ(run({"slot", "rename", "left.end", "last"}).status, kOk);
  const auto undone = run({"undo"});
  EXPECT_EQ(undone.out, "undo: rename left.end to last\n") << undone.err;
  EXPECT_EQ(desired().find_slot({"left", "last"}), nullptr);
  EXPECT_EQ(run({"undo"}).out, "undo: left.pattern: speed 5\n");
  EXPECT_EQ(speed(), show::ParameterValue(3.0));
  EXPECT_EQ(run({"redo"}).out, "redo: left.pattern: speed 5\n");
  EXPECT_EQ(speed(), show::ParameterValue(5.0));
  EXPECT_EQ(
      run({"undo", "--list"}).out,
      "redo: rename left.end to last\nundo: left.pattern: speed 5\nundo: left.pattern: speed 3\n");
  EXPECT_EQ(run({"redo"}).status, kOk);
  EXPECT_NE(desired().find_slot({"left", "last"}), nullptr);
  EXPECT_THAT(run({"redo"}).err, HasSubstr("nothing to redo"));
}

TEST_F(CommandsTest, UndoLeavesOutWhatOthersHaveWorkedOnSince) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  ASSERT_EQ(run({"bypass", "left.end"}).status, kOk);
  ASSERT_EQ(run({"set", "left.pattern.speed", "3"}).status, kOk);
  auto show = desired();
  show.find_slot({"left", "pattern"})->parameters["speed"] = 7.0;
  ASSERT_TRUE(cluster::Cluster(*bus_).put_show({show::to_toml(show), "eva"}, std::nullopt));
  const auto refused = run({"undo"});
  EXPECT_EQ(refused.status, kFailed);
  EXPECT_THAT(refused.err,
              HasSubstr("undo of \"left.pattern: speed 3\" left out: it was changed elsewhere"));
  EXPECT_THAT(refused.err, HasSubstr("the next undo is about the step before it"));
  EXPECT_EQ(desired(), show);
  EXPECT_EQ(run({"undo"}).status, kOk) << "the step before";
  EXPECT_FALSE(desired().find_slot({"left", "end"})->is_bypassed);
  EXPECT_EQ(desired().find_slot({"left", "pattern"})->parameters.at("speed"),
            show::ParameterValue(7.0));
  show = desired();
  show.find_slot({"left", "pattern"})->parameters["speed"] = 3.0;
  ASSERT_TRUE(cluster::Cluster(*bus_).put_show({show::to_toml(show), "eva"}, std::nullopt));
  EXPECT_EQ(run({"undo"}).out, "undo: left.pattern: speed 3\n")
      << "what was left out is not forgotten";
}

TEST_F(CommandsTest, UndoOfAValueSparesOthersWorkOnTheSameSlot) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  ASSERT_EQ(run({"set", "left.pattern.speed", "3"}).status, kOk);
  auto show = desired();
  show.find_slot({"left", "pattern"})->parameters["phase"] = 0.5;
  ASSERT_TRUE(cluster::Cluster(*bus_).put_show({show::to_toml(show), "eva"}, std::nullopt));
  EXPECT_EQ(run({"undo"}).out, "undo: left.pattern: speed 3\n");
  EXPECT_EQ(desired().find_slot({"left", "pattern"})->parameters,
            (show::Parameters{{"phase", 0.5}}));
}

TEST_F(CommandsTest, UndoBringsTheShowBackThatApplyReplacedAndASnapshotKeepsIt) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  auto other = kShow;
  other.replace(other.find("\"solo\""), 6, "\"other\"");
  ASSERT_EQ(run({"apply", "--no-wait", file(other)}).status, kOk);
  EXPECT_EQ(desired().name, "other");
  const auto copies = run({"show", "copies"});
  EXPECT_THAT(copies.out, HasSubstr("/state/submix/snapshots/solo/"));
  EXPECT_THAT(run({"undo"}).out, AllOf(StartsWith("undo: apply "), HasSubstr("show.toml")));
  EXPECT_EQ(desired().name, "solo");
}

TEST_F(CommandsTest, UndoOfApplyLeavesAnotherShowAlone) {
  const auto named = [](const std::string& name) {
    auto text = kShow;
    return text.replace(text.find("\"solo\""), 6, '"' + name + '"');
  };
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  ASSERT_EQ(run({"apply", "--no-wait", file(named("mine"))}).status, kOk);
  ASSERT_TRUE(cluster::Cluster(*bus_).put_show({named("evas"), "eva"}, std::nullopt));
  const auto refused = run({"undo"});
  EXPECT_EQ(refused.status, kFailed);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("it is about show \"mine\", and the present one is \"evas\""),
                    HasSubstr("apply")));
  EXPECT_EQ(desired().name, "evas");
  EXPECT_THAT(run({"undo", "--list"}).out, StartsWith("undo: apply ")) << "it is not forgotten";
}

TEST_F(CommandsTest, RedoOfApplyBringsTheShowAsItWasWhenItGaveWay) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  auto other = kShow;
  other.replace(other.find("\"solo\""), 6, "\"other\"");
  ASSERT_EQ(run({"apply", "--no-wait", file(other)}).status, kOk);
  auto worked_on = desired();
  worked_on.find_slot({"left", "pattern"})->parameters["speed"] = 7.0;
  ASSERT_TRUE(cluster::Cluster(*bus_).put_show({show::to_toml(worked_on), "window"}, std::nullopt));
  EXPECT_EQ(run({"undo"}).status, kOk);
  EXPECT_EQ(desired().name, "solo");
  EXPECT_THAT(run({"show", "copies"}).out, HasSubstr("/state/submix/snapshots/other/"));
  EXPECT_EQ(run({"redo"}).status, kOk);
  EXPECT_EQ(desired(), worked_on);
}

TEST_F(CommandsTest, ASnapshotOfTheShowIsKeptOnceAndListed) {
  EXPECT_THAT(run({"show", "keep"}).err, HasSubstr("submix apply FILE"));
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  EXPECT_THAT(run({"show", "copies"}).err, HasSubstr("keep one: submix show keep"));
  EXPECT_THAT(run({"show", "keep"}).out, HasSubstr("is kept in "));
  EXPECT_EQ(run({"show", "keep"}).status, kOk);
  const auto copies = run({"show", "copies"}).out;
  EXPECT_EQ(std::count(copies.begin(), copies.end(), '\n'), 1) << copies;
  const auto path = copies.substr(0, copies.find('\n'));
  EXPECT_EQ(show::parse(read_text_file(path).value(), path).value(), desired());
}

TEST_F(CommandsTest, ACommandThatCannotBeRememberedIsDoneAllTheSame) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  ASSERT_TRUE(write_file_atomically(folder_ / "state", "a file"));
  const auto outcome = run({"set", "left.pattern.speed", "3"});
  EXPECT_EQ(outcome.status, kOk);
  EXPECT_THAT(outcome.err, HasSubstr("submix: warning: submix undo will not know of it"));
}

TEST_F(CommandsTest, WithoutAFolderOfTheUsersNothingIsRemembered) {
  const char* home = std::getenv("HOME");
  const std::string home_before = home == nullptr ? "" : home;
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  ::unsetenv("XDG_STATE_HOME");
  ::unsetenv("HOME");
  const auto outcome = run({"set", "left.pattern.speed", "3"});
  const auto undone = run({"undo"});
  if (home != nullptr) ::setenv("HOME", home_before.c_str(), 1);
  EXPECT_EQ(outcome.status, kOk);
  EXPECT_THAT(outcome.err,
              HasSubstr("submix undo will not know of it: steps are kept below $XDG_STATE_HOME"));
  EXPECT_EQ(undone.status, kFailed);
  EXPECT_THAT(undone.err, HasSubstr("set one"));
}

}  // namespace
}  // namespace submix::cli
