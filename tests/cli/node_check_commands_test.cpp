// SPDX-License-Identifier: GPL-3.0-or-later
// The checks between a command and the show: the plugins' descriptions, and the nodes' own answers.
#include "common/base/mutex.hpp"
#include "tests/cli/cluster_commands.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <string_view>

namespace submix::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

const std::string kClipShow = R"([show]
name = "solo"
size = [64, 48]
[[node]]
name = "solo"
[[node]]
name = "spare"
[[submix]]
name = "left"
node = "solo"
[[submix.slot]]
name = "clip"
plugin = "clip"
parameters = { file = "a.mp4", loop = true }
[[submix.slot]]
name = "end"
plugin = "null"
)";

/// A node that describes plugins "clip" and "null". A test sets its answer about shows.
class Judge {
 public:
  Judge(cluster::Bus& bus, const std::string& name) : cluster_(bus) {
    commands_ = cluster_.serve_commands(
        name, [this](const cluster::Command& command) { return answer(command); });
    EXPECT_TRUE(cluster_.is_there(name, 5s));  // NATS knows the node from here on
  }
  void refuse(std::string reason) {
    const MutexLock lock(mutex_);
    faults_ = {{"left", "clip", std::move(reason)}};
  }
  /// Whether the last check was about the whole show, and not about the changes.
  [[nodiscard]] bool was_asked_for_all() const {
    const MutexLock lock(mutex_);
    return was_whole_;
  }

 private:
  Result<cluster::Reply> answer(const cluster::Command& command) {
    if (command.kind == cluster::CommandKind::snapshot) return fail("no such submix");
    if (command.kind == cluster::CommandKind::check) {
      const MutexLock lock(mutex_);
      was_whole_ = command.is_whole;
      return faults_;
    }
    return std::vector<cluster::PluginSummary>{{"clip",
                                                "source",
                                                "",
                                                "",
                                                {{"file", "text", "", std::string(), 0, 1, {}},
                                                 {"loop", "switch", "", true, 0, 1, {}},
                                                 {"in", "number", "", 0.0, 0, 7200, {}},
                                                 {"out", "number", "", 0.0, 0, 7200, {}},
                                                 {"speed", "number", "", 1.0, 0, 16, {}}}},
                                               {"null", "output", "", "", {}}};
  }

  mutable Mutex mutex_;
  std::vector<cluster::SubmixFault> faults_ SUBMIX_GUARDED_BY(mutex_);
  bool was_whole_ SUBMIX_GUARDED_BY(mutex_) = false;
  cluster::Cluster cluster_;
  std::unique_ptr<cluster::Subscription> commands_;
};

class NodeCheckCommands : public CommandsTest {
 protected:
  /// Writes past all checks.
  void put(const std::string& toml) {
    ASSERT_TRUE(cluster::Cluster(*bus_).put_show({toml, "test"}, std::nullopt));
  }
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(CommandsTest::SetUp());
    put(kClipShow);
  }
  show::ParameterValue now(const char* parameter) {
    return desired().find_slot({"left", "clip"})->parameters.at(parameter);
  }
};

TEST_F(NodeCheckCommands, AnInPointBehindTheOutPointIsRefusedWhoeverSetsIt) {
  const Judge node(*bus_, "solo");
  ASSERT_EQ(run({"set", "left.clip.out", "2"}).status, kOk);
  const auto set = run({"set", "left.clip.in", "3"});
  EXPECT_EQ(set.status, kFailed);
  EXPECT_THAT(set.err, HasSubstr("in point 3 s is not before the out point 2 s"));
  ASSERT_EQ(run({"knob", "a", "--target", "left.clip.in=0..10"}).status, kOk);
  const auto turned = run({"knob", "a", "1"});
  EXPECT_THAT(turned.err, HasSubstr("left out: left.clip: in point 10 s is not before"));
  ASSERT_EQ(run({"cue", "save", "x", "--set", "left.clip.in=5"}).status, kOk);
  EXPECT_THAT(run({"cue", "go", "x"}).err,
              HasSubstr("left out: left.clip: in point 5 s is not before"));
  EXPECT_FALSE(desired().find_slot({"left", "clip"})->parameters.contains("in"));
}

TEST_F(NodeCheckCommands, AnInPointPastTheClipsEndIsTheNodesToRefuse) {
  Judge node(*bus_, "solo");
  node.refuse("left.clip: in point 90 s is past the end of a.mp4, at 5.00 s");
  const auto set = run({"set", "left.clip.in", "90"});
  EXPECT_EQ(set.status, kFailed);
  EXPECT_THAT(set.err, HasSubstr("node \"solo\": left.clip: in point 90 s is past the end"));
  EXPECT_EQ(run({"set", "left.clip.speed", "2"}).status, kOk) << "nobody is asked about a fader";
}

TEST_F(NodeCheckCommands, ANodeThatHangsIsNamedAndForceWritesAllTheSame) {
  const auto hanging = bus_->subscribe("submix.command.snapshot.solo", [](std::string_view) {});
  const auto set = run({"set", "left.clip.file", "b.mp4"});
  EXPECT_EQ(set.status, kFailed);
  EXPECT_THAT(set.err, HasSubstr("node \"solo\" does not answer within 2000 ms"));
  EXPECT_THAT(set.err, HasSubstr("--force writes it all the same"));
  EXPECT_EQ(now("file"), show::ParameterValue("a.mp4"));
  EXPECT_THAT(run({"set", "left.clip.file", "b.mp4", "--force"}).err,
              HasSubstr("warning: node \"solo\""));
  EXPECT_EQ(now("file"), show::ParameterValue("b.mp4"));
}

TEST_F(NodeCheckCommands, ANodeThatIsNotHereIsNamedAndTheShowIsWritten) {
  const auto set = run({"set", "left.clip.file", "b.mp4"});
  EXPECT_THAT(set.err, HasSubstr("warning: node \"solo\" is not here"));
  EXPECT_EQ(now("file"), show::ParameterValue("b.mp4"));
}

TEST_F(NodeCheckCommands, AnotherNodeDescribesThePluginsOfOneThatIsAway) {
  const Judge spare(*bus_, "spare");
  EXPECT_THAT(run({"set", "left.clip.speed", "99"}).err, HasSubstr("99 is not within 0 to 16"));
  EXPECT_THAT(run({"set", "left.clip.sped", "1"}).err, HasSubstr("did you mean \"speed\""));
  EXPECT_THAT(run({"set", "left.clip.speed", "2"}).err, Not(HasSubstr("not checked")));
}

TEST_F(NodeCheckCommands, AValueKeepsItsTypeWhereNobodyDescribesThePlugin) {
  EXPECT_THAT(run({"set", "left.clip.loop", "0.7"}).err,
              HasSubstr("left.clip.loop: 0.7 is not true or false"));
  EXPECT_THAT(run({"set", "left.clip.file", "5"}).err,
              HasSubstr("left.clip.file: 5 is not a text"));
  EXPECT_THAT(run({"knob", "a", "--target", "left.clip.file=0..1"}).err,
              HasSubstr("a knob gives a number"));
  EXPECT_EQ(desired(), show::parse(kClipShow, "test").value());
  const auto unknown = run({"set", "left.clip.speed", "2"});
  EXPECT_THAT(unknown.err,
              HasSubstr("warning: not checked: left.clip.speed: no node that is here describes"));
  EXPECT_EQ(now("speed"), show::ParameterValue(2.0));
}

TEST_F(NodeCheckCommands, AKnobTurnsASwitchAndNoFile) {
  const Judge node(*bus_, "solo");
  EXPECT_EQ(run({"knob", "a", "--target", "left.clip.loop=0..1"}).status, kOk);
  EXPECT_EQ(run({"knob", "a", "0.4"}).status, kOk);
  EXPECT_EQ(now("loop"), show::ParameterValue(false));
  EXPECT_EQ(run({"knob", "a", "0.6"}).status, kOk);
  EXPECT_EQ(now("loop"), show::ParameterValue(true));
  const auto file = run({"knob", "b", "--target", "left.clip.file=0..1"});
  EXPECT_EQ(file.status, kFailed);
  EXPECT_THAT(file.err,
              HasSubstr("left.clip.file: a knob gives a number, and the parameter takes a text"));
}

TEST_F(NodeCheckCommands, ACueThatMovesASubmixToANodeThatRefusesChangesNothing) {
  Judge spare(*bus_, "spare");
  ASSERT_EQ(run({"cue", "save", "move", "--assign", "left=spare", "--bypass", "left.end"}).status,
            kOk);
  const auto before = desired();
  spare.refuse("left.clip: there is no such file");
  const auto gone = run({"cue", "go", "move"});
  EXPECT_EQ(gone.status, kFailed);
  EXPECT_THAT(gone.err, HasSubstr("node \"spare\": left.clip: there is no such file"));
  EXPECT_EQ(desired(), before);
}

TEST_F(NodeCheckCommands, WhatForceIsOfferedForTakesForce) {
  Judge node(*bus_, "solo");
  node.refuse("its frames need more memory");
  const auto fresh = run({"show", "new", "other", "--node", "solo", "--no-wait"});
  EXPECT_EQ(fresh.status, kFailed);
  EXPECT_THAT(fresh.err, HasSubstr("--force writes it all the same"));
  EXPECT_EQ(run({"submix", "frames", "left", "4"}).status, kFailed);
  EXPECT_EQ(run({"submix", "frames", "left", "4", "--force"}).status, kOk);
  EXPECT_EQ(desired().find_submix("left")->frames_in_flight, 4);
  EXPECT_THAT(cluster::Cluster(*bus_).show()->value.author, HasSubstr("submix submix frames on "));
  EXPECT_EQ(run({"show", "new", "other", "--node", "solo", "--no-wait", "--force"}).status, kOk);
  EXPECT_EQ(desired().name, "other");
}

TEST_F(NodeCheckCommands, PlanAndValidateLookAtWhatStaysAsItIsToo) {
  Judge node(*bus_, "solo");
  EXPECT_EQ(run({"plan"}).status, kOk);
  EXPECT_TRUE(node.was_asked_for_all());
  const auto fine = run({"validate", file(kClipShow)});
  EXPECT_EQ(fine.status, kOk) << fine.err;
  EXPECT_THAT(fine.out, HasSubstr("asked node solo"));
  node.refuse("left.clip: there is no such file");
  EXPECT_EQ(run({"plan"}).status, kFailed);
  const auto gone = run({"validate", file(kClipShow)});
  EXPECT_EQ(gone.status, kFailed);
  EXPECT_THAT(gone.err, HasSubstr("node \"solo\": left.clip: there is no such file"));
}

TEST_F(NodeCheckCommands, ValidateSaysThatItAskedNobodyWhereNatsDoesNotAnswer) {
  const auto alone = submix({"validate", file(kClipShow), "--nats", "nats://127.0.0.1:9"});
  EXPECT_EQ(alone.status, kOk) << alone.err;
  EXPECT_THAT(alone.out, HasSubstr("no node was asked"));
  EXPECT_EQ(
      submix({"validate", "--on-nodes", file(kClipShow), "--nats", "nats://127.0.0.1:9"}).status,
      kFailed);
}

TEST_F(NodeCheckCommands, ValidateRefusesAValueThatAPluginDoesNotTake) {
  const Judge node(*bus_, "solo");
  auto text = kClipShow;
  text.replace(text.find("loop = true"), 11, "speed = -5");
  const auto outcome = run({"validate", file(text)});
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(outcome.err, HasSubstr("\"speed\": -5"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("is in order")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("not checked")));
}

TEST_F(NodeCheckCommands, ValidateNamesTheNodesThatDidNotCheckValuesOfPlugins) {
  const auto alone = submix({"validate", file(kClipShow), "--nats", "nats://127.0.0.1:9"});
  EXPECT_THAT(alone.out, HasSubstr("the values of plugins were not checked by node solo\n"));
  const auto away = run({"validate", file(kClipShow)});
  EXPECT_EQ(away.status, kOk);
  EXPECT_THAT(away.out, HasSubstr("the values of plugins were not checked by node solo\n"));
}

TEST_F(NodeCheckCommands, ASwitchTakesWordsOfSwitches) {
  const Judge node(*bus_, "solo");
  ASSERT_EQ(run({"set", "left.clip.loop", "off"}).status, kOk);
  EXPECT_EQ(now("loop"), show::ParameterValue(false));
  ASSERT_EQ(run({"set", "left.clip.loop", "yes"}).status, kOk);
  EXPECT_EQ(now("loop"), show::ParameterValue(true));
  EXPECT_THAT(run({"set", "left.clip.loop", "maybe"}).err,
              HasSubstr("left.clip.loop: \"maybe\" is not true or false; write on, off, true, "
                        "false, yes or no"));
  ASSERT_EQ(run({"set", "left.clip.file", "on", "--force"}).status, kOk);
  EXPECT_EQ(now("file"), show::ParameterValue("on")) << "a file may have any name";
}

TEST_F(NodeCheckCommands, ASwitchWithoutAValueYetTakesWords) {
  auto text = kClipShow;
  text.replace(text.find(", loop = true"), 13, "");
  put(text);
  const Judge node(*bus_, "solo");
  ASSERT_EQ(run({"set", "left.clip.loop", "on"}).status, kOk);
  EXPECT_EQ(now("loop"), show::ParameterValue(true));
}

TEST_F(NodeCheckCommands, ANewShowIsWrittenInItsOwnName) {
  ASSERT_EQ(run({"show", "new", "other", "--node", "solo", "--no-wait"}).status, kOk);
  EXPECT_THAT(cluster::Cluster(*bus_).show()->value.author, HasSubstr("submix show new on "));
}

TEST_F(NodeCheckCommands, ValidateTellsOfAClipWithNothingToPlay) {
  auto text = kClipShow;
  text.replace(text.find("loop = true"), 11, "in = 3, out = 2");
  const auto outcome = run({"validate", file(text)});
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(outcome.err, HasSubstr("left.clip: in point 3 s is not before the out point 2 s"));
}

TEST_F(NodeCheckCommands, StatusTellsTheWayBackToTheLastGoodShow) {
  EXPECT_THAT(run({"status"}).out, Not(HasSubstr("submix show back"))) << "none is known";
  cluster::Cluster(*bus_).keep_good_show({kClipShow, "submix-node solo"});
  EXPECT_THAT(run({"status"}).out, Not(HasSubstr("submix show back"))) << "it is the present one";
  ASSERT_EQ(run({"show", "name", "other"}).status, kOk);
  EXPECT_THAT(
      run({"status"}).out,
      HasSubstr(
          "the last show that ran without a fault is show \"solo\"; go back: submix show back"));
  const auto good = nlohmann::json::parse(run({"status", "--json"}).out).at("last_good_show");
  EXPECT_EQ(good.at("name"), "solo");
  EXPECT_FALSE(good.at("is_present"));
}

}  // namespace
}  // namespace submix::cli
