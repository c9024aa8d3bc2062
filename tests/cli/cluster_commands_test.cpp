// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that need a cluster, with a real nats-server and a fake node that only sends
// reports.
#include "tests/cli/cluster_commands.hpp"
#include "common/media/png.hpp"
#include "common/show/announce.hpp"
#include "tests/cli/fake_node.hpp"
#include "tests/support/nats_version.hpp"
#include "tests/support/small_disk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>

namespace submix::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(CommandsTest, ApplyWaitsUntilTheNodesRunTheShow) {
  const FakeNode node(*bus_, "solo");
  const auto outcome = apply(kShow);
  EXPECT_EQ(outcome.status, kOk) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("is applied: revision"), HasSubstr("left: running on solo")));
}

TEST_F(CommandsTest, NothingIsDoneBesideADeskThatIsTooFarInVersion) {
  ASSERT_TRUE(cluster::Cluster(*bus_).put_desk({"rack2", "999.0.0"}));
  const auto outcome = apply(kShow);
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("desk rack2 has 999.0.0"), HasSubstr("update this PC")));
  EXPECT_EQ(cluster::Cluster(*bus_).show()->revision, 0U);
}

TEST_F(CommandsTest, ApplyTellsWhatTheNodeCannotRunAndChangesNothing) {
  const FakeNode node(*bus_, "solo");
  auto bad = kShow;
  bad.replace(bad.find("\"null\""), 6, "\"nul\"\nparameters = { x = 1 }");
  auto outcome = apply(bad);
  // until NATS knows the node
  for (int i = 0; i < 100 && outcome.status == kOk; ++i)
    outcome = apply(bad);
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(
      outcome.err,
      HasSubstr("show.toml:14: submix \"left\", slot \"end\": plugin \"nul\" is not on node"));
}

TEST_F(CommandsTest, ApplyTellsThatASubmixFailed) {
  const FakeNode node(*bus_, "solo");
  auto bad = kShow;
  bad.replace(bad.find("\"pattern\""), 9, "\"fail\"");
  const auto outcome = apply(bad);
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(outcome.out, HasSubstr("left: failed on solo: as it was told"));
}

TEST_F(CommandsTest, ApplyGivesUpWaitingForANodeThatIsNotHere) {
  const auto outcome = run({"apply", file(kShow), "--timeout", "1"});
  EXPECT_EQ(outcome.status, kNotFollowedYet);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("not all nodes run it after 1 s"),
                                 HasSubstr("submix-node --name solo")));
  EXPECT_EQ(desired().name, "solo");
  EXPECT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
}

TEST_F(CommandsTest, ApplyRefusesToOverwriteAnotherRevision) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  const auto stale = run({"apply", "--no-wait", "--revision", "1000", file(kShow)});
  EXPECT_EQ(stale.status, kFailed);
  EXPECT_THAT(stale.err, AllOf(HasSubstr("changed meanwhile"), HasSubstr("submix apply on"),
                               HasSubstr("--force")));
  EXPECT_EQ(run({"apply", "--no-wait", "--revision", "1000", "--force", file(kShow)}).status, kOk);
}

TEST_F(CommandsTest, ApplyReplacesAShowThatNobodyCanReadAndKeepsItsText) {
  cluster::Cluster cluster(*bus_);
  const std::string unnamed = "[[submix]]\n[[submix.slot]]\n";
  std::string deep = "a";
  for (int i = 0; i < 60'000; ++i)
    deep += ".a";
  for (const auto& bad : {unnamed, deep + " = 1\n"}) {
    ASSERT_TRUE(cluster.put_show({bad, "somebody"}, {}));
    EXPECT_THAT(run({"status"}).out, HasSubstr("the show cannot be read"));
    EXPECT_THAT(run({"undo"}).err, HasSubstr("nothing to undo"));
    EXPECT_THAT(run({"show", "save", "-"}).err, HasSubstr("submix apply FILE"));
    const auto outcome = run({"apply", "--no-wait", file(kShow)});
    EXPECT_EQ(outcome.status, kOk) << outcome.err;
    EXPECT_THAT(
        outcome.err,
        HasSubstr("the former show could not be read, and is replaced; its text is kept in"));
    EXPECT_EQ(desired().name, "solo");
    EXPECT_THAT(run({"show", "copies"}).out, HasSubstr("snapshots/unreadable/"));
  }
}

TEST_F(CommandsTest, ApplyReplacesWhatIsNoShowAtAll) {
  ASSERT_TRUE(bus_->put("submix-desired", "show", "garbage"));
  EXPECT_THAT(run({"status"}).out, HasSubstr("the show cannot be read"));
  const auto outcome = run({"apply", "--no-wait", file(kShow)});
  EXPECT_EQ(outcome.status, kOk) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("could not be read, and is replaced"));
  EXPECT_EQ(desired().name, "solo");
}

TEST_F(CommandsTest, EditsChangeTheShow) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  EXPECT_EQ(run({"set", "left.pattern.speed", "-2.5"}).status, kOk);
  EXPECT_EQ(run({"set", "left.pattern.Border width", "[1, 0]"}).status, kOk);
  EXPECT_EQ(desired().find_slot({"left", "pattern"})->parameters,
            (show::Parameters{{"speed", -2.5}, {"Border width", std::vector<double>{1, 0}}}));
  EXPECT_EQ(run({"set", "left.pattern.speed"}).status, kOk);
  EXPECT_EQ(desired().find_slot({"left", "pattern"})->parameters.size(), 1U);
  EXPECT_EQ(run({"bypass", "left.end"}).status, kOk);
  EXPECT_TRUE(desired().find_slot({"left", "end"})->is_bypassed);
  EXPECT_EQ(run({"bypass", "left.end", "off"}).status, kOk);
  EXPECT_EQ(run({"helpers", "left.pattern", "3"}).status, kOk);
  EXPECT_EQ(desired().find_slot({"left", "pattern"})->helpers, 3);
}

TEST_F(CommandsTest, SetTellsThatTheNodeCouldNotDoIt) {
  const FakeNode node(*bus_, "solo");
  auto bad = kShow;
  bad.replace(bad.find("\"pattern\""), 9, "\"fail\"");
  ASSERT_EQ(apply(bad).status, kFailed);
  const auto outcome = run({"set", "left.fail.speed", "1"});
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(outcome.out, HasSubstr("left.fail: speed 1"));
  EXPECT_THAT(outcome.err, HasSubstr("submix: node \"solo\": as it was told"));
}

TEST_F(CommandsTest, SetTakesANegativeNumberWithAndWithoutDashes) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  EXPECT_EQ(run({"set", "left.pattern.speed", "-2"}).status, kOk);
  EXPECT_EQ(desired().find_slot({"left", "pattern"})->parameters.at("speed"),
            show::ParameterValue(-2.0));
  EXPECT_EQ(submix({"set", "--nats", server_->url(), "left.pattern.speed", "--", "-3"}).status,
            kOk);
  EXPECT_EQ(desired().find_slot({"left", "pattern"})->parameters.at("speed"),
            show::ParameterValue(-3.0));
}

TEST_F(CommandsTest, AStreamsLinksAndPolicyAreSet) {
  const auto two = kShow + R"(
[[submix.slot]]
name = "out"
plugin = "stream-out"
inputs = ["pattern"]
[[submix]]
name = "mix"
node = "solo"
[[submix.slot]]
name = "in"
plugin = "stream-in"
[[stream]]
name = "left"
from = "left.out"
to = "mix.in"
)";
  ASSERT_EQ(run({"apply", "--no-wait", file(two)}).status, kOk);
  const auto outcome = run({"links", "left", "3"});
  EXPECT_EQ(outcome.status, kOk) << outcome.err;
  EXPECT_EQ(outcome.out, "left: 3 links\n");
  EXPECT_EQ(desired().find_stream("left")->link_count, 3);
  EXPECT_EQ(run({"links", "left", "198.18.0.2=198.18.0.1", "fd00::2=fd00::1"}).status, kOk);
  EXPECT_EQ(desired().find_stream("left")->routes,
            (std::vector<LinkRoute>{{"198.18.0.2", "198.18.0.1"}, {"fd00::2", "fd00::1"}}));
  EXPECT_EQ(run({"links", "left", "2"}).status, kOk);
  EXPECT_TRUE(desired().find_stream("left")->routes.empty());
  EXPECT_THAT(run({"links", "left", "9"}).err, HasSubstr("9 links are not within 1 to 8"));
  EXPECT_THAT(run({"links", "left", "many"}).err, HasSubstr("\"many\" is neither a number"));
  EXPECT_THAT(run({"links", "left", "1", "2"}).err, HasSubstr("write FROM=TO"));
  EXPECT_THAT(run({"links", "left", "here=there"}).err, HasSubstr("\"here\" is not an IP address"));
  EXPECT_THAT(run({"links", "lfet", "2"}).err, HasSubstr("did you mean \"left\""));
  EXPECT_EQ(desired().find_stream("left")->link_count, 2);

  EXPECT_EQ(run({"stream", "local", "left", "off"}).status, kOk);
  EXPECT_FALSE(desired().find_stream("left")->is_local_allowed);
  EXPECT_EQ(run({"stream", "local", "left", "on"}).status, kOk);
  EXPECT_TRUE(desired().find_stream("left")->is_local_allowed);

  EXPECT_EQ(run({"policy", "left", "latest"}).out, "left: policy latest\n");
  EXPECT_EQ(desired().find_stream("left")->policy, show::InputPolicy::latest);
  EXPECT_EQ(run({"policy", "left", "hold", "--pause-budget", "250"}).status, kOk);
  EXPECT_EQ(desired().find_stream("left")->pause_budget, std::chrono::milliseconds(250));
  EXPECT_THAT(run({"policy", "left", "hodl"}).err, HasSubstr("did you mean \"hold\""));
  EXPECT_THAT(run({"policy", "left", "hold", "--pause-budget", "-1"}).err,
              HasSubstr("pause_budget_ms -1 is not within 0 to 3600000"));
  EXPECT_THAT(run({"policy", "lfet", "wait"}).err, HasSubstr("did you mean \"left\""));

  EXPECT_EQ(run({"policy", "left", "wait"}).status, kOk);
  EXPECT_EQ(run({"without", "left"}).out,
            "go on without left\nto wait for it again: submix with left; or submix undo\n");
  EXPECT_EQ(desired().find_stream("left")->policy, show::InputPolicy::hold);
  EXPECT_EQ(run({"with", "left"}).status, kOk);
  EXPECT_EQ(desired().find_stream("left")->policy, show::InputPolicy::wait);
  EXPECT_THAT(run({"with", "left"}).err, HasSubstr("no stream that others go on without"));
}

TEST_F(CommandsTest, APatchIsChangedSlotBySlot) {
  const FakeNode node(*bus_, "solo");
  ASSERT_EQ(apply(kShow).status, kOk);
  const auto inserted = run({"slot", "insert", "left.pattern", "frei0r/glow"});
  EXPECT_EQ(inserted.out, "insert glow into left\n") << inserted.err;
  EXPECT_EQ(run({"slot", "duplicate", "left.glow"}).status, kOk);
  EXPECT_EQ(run({"slot", "rename", "left.glow-2", "shine"}).status, kOk);
  EXPECT_EQ(run({"slot", "move", "left.shine", "pattern"}).status, kOk);
  EXPECT_EQ(run({"slot", "solo", "left.shine"}).status, kOk);
  EXPECT_TRUE(desired().find_slot({"left", "glow"})->is_bypassed);
  EXPECT_EQ(run({"slot", "connect", "left.end", "pattern"}).status, kOk);
  const auto slots = desired().find_submix("left")->slots;
  ASSERT_EQ(slots.size(), 4U);
  EXPECT_EQ(slots[1].name, "shine");
  EXPECT_EQ(slots[3].inputs, std::vector<std::string>{"pattern"});
  EXPECT_EQ(run({"slot", "delete", "left.glow"}).status, kOk);
  EXPECT_THAT(run({"slot", "delete", "left.pattern"}).err,
              HasSubstr("\"left.pattern\" is read by"));
  EXPECT_THAT(run({"slot", "insert", "left", "frei0r/glwo"}).err, HasSubstr("is not known"));
  EXPECT_THAT(run({"slot", "connect", "left.end", "shine", "--input", "2"}).err,
              HasSubstr("there is no input 2"));
  EXPECT_EQ(desired().find_submix("left")->slots.size(), 3U);
}

TEST_F(CommandsTest, AShowIsBuiltFromTheCommandLine) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  EXPECT_EQ(run({"node", "add", "rack2", "--description", "second"}).status, kOk);
  EXPECT_EQ(run({"submix", "add", "mix", "--plugin", "stream-in", "--node", "rack2"}).status, kOk);
  EXPECT_EQ(run({"slot", "insert", "left", "stream-out", "--name", "out"}).status, kOk);
  const auto added = run({"stream", "add", "left", "mix"});
  EXPECT_EQ(added.out, "connect left.out to mix.stream-in\n") << added.err;
  EXPECT_EQ(run({"stream", "rename", "left", "cable"}).status, kOk);
  EXPECT_EQ(run({"stream", "checksum", "cable", "xxh3"}).status, kOk);
  EXPECT_EQ(run({"stream", "encrypt", "cable", "off"}).out, "cable: not encrypted between PCs\n");
  EXPECT_EQ(run({"stream", "pixels", "cable", "rgba"}).status, kOk);
  EXPECT_EQ(run({"links", "cable", "198.18.0.2=198.18.0.1"}).status, kOk);
  EXPECT_EQ(run({"show", "size", "1920x1080"}).out, "show size 1920x1080\n");
  EXPECT_EQ(run({"show", "rate", "60"}).status, kOk);
  EXPECT_EQ(desired().find_stream("cable")->checksum, Checksum::xxh3);
  EXPECT_FALSE(desired().find_stream("cable")->is_encrypted);
  EXPECT_EQ(desired().find_stream("cable")->pixels, PixelFormat::rgba);
  EXPECT_EQ(desired().size, (Size{1920, 1080}));
  EXPECT_THAT(run({"show", "size", "9x9"}).err, HasSubstr("size [9, 9] is not within"));
  EXPECT_THAT(run({"show", "size", "big"}).err, HasSubstr("write WIDTHxHEIGHT"));
  EXPECT_THAT(run({"stream", "add", "left", "mix.stream-in"}).err, HasSubstr("is wired twice"));
  EXPECT_THAT(run({"node", "delete", "rack2"}).err, HasSubstr("runs submix \"mix\""));
  EXPECT_EQ(run({"submix", "delete", "mix"}).out, "delete submix mix and 1 stream\n");
  EXPECT_EQ(run({"node", "delete", "rack2"}).status, kOk);
}

TEST_F(CommandsTest, AssignTakesANodeOfTheShowOrOneThatRuns) {
  static_cast<void>(run({"apply", file(kShow), "--no-wait"}));
  EXPECT_THAT(
      run({"assign", "left", "slo"}).err,
      HasSubstr("node \"slo\" is neither in the show nor running (did you mean \"solo\"?)"));
  EXPECT_EQ(desired().find_submix("left")->node, "solo");
  const FakeNode guest(*bus_, "rack2");
  EXPECT_EQ(run({"assign", "left", "rack2"}).status, kOk);
  EXPECT_EQ(desired().find_submix("left")->node, "rack2");
  const auto nowhere = run({"assign", "left"});  // the node was forgotten
  EXPECT_EQ(nowhere.status, kOk);
  EXPECT_THAT(nowhere.out, HasSubstr("submix assign left NODE, or take it back: submix undo"));
  EXPECT_EQ(desired().find_submix("left")->node, "");
  EXPECT_THAT(run({"assign", "lfet", "rack2"}).err, HasSubstr("did you mean \"left\""));
}

TEST_F(CommandsTest, SetIsRefusedByThePluginsOwnDescription) {
  const FakeNode node(*bus_, "solo");
  ASSERT_EQ(apply(kShow).status, kOk);
  const auto outcome = run({"set", "left.pattern.speed", "fast"});
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(outcome.err, HasSubstr("parameter \"speed\": \"fast\" is not a number"));
  EXPECT_THAT(run({"set", "left.pattern.sped", "1"}).err, HasSubstr("did you mean \"speed\""));
}

TEST_F(CommandsTest, SetAndApplyRefuseANumberBeyondTheParametersLimit) {
  const FakeNode node(*bus_, "solo");
  ASSERT_EQ(apply(kShow).status, kOk);
  const auto set = run({"set", "left.pattern.speed", "99"});
  EXPECT_EQ(set.status, kFailed);
  EXPECT_THAT(set.err,
              HasSubstr("parameter \"speed\": 99 is not within -64 to 64; give a number from"));
  auto bad = kShow;
  bad.replace(bad.find("\"pattern\"\n[["), 9, "\"pattern\"\nparameters = { speed = -65 }");
  const auto applied = apply(bad);
  EXPECT_EQ(applied.status, kFailed);
  EXPECT_THAT(applied.err, HasSubstr("-65 is not within -64 to 64"));
  EXPECT_TRUE(desired().find_slot({"left", "pattern"})->parameters.empty());
}

TEST_F(CommandsTest, NeedAShow) {
  EXPECT_THAT(run({"set", "left.pattern.speed", "1"}).err, HasSubstr("submix apply FILE"));
  EXPECT_THAT(run({"snapshot", "left", "-o", "x.png"}).err, HasSubstr("submix apply FILE"));
}

TEST_F(CommandsTest, PauseResumeAndStepAreStatesOfTheCluster) {
  cluster::Cluster cluster(*bus_);
  EXPECT_THAT(run({"step"}).err, HasSubstr("submix pause"));
  EXPECT_EQ(run({"pause"}).status, kOk);
  EXPECT_TRUE(cluster.transport()->value.is_paused);
  EXPECT_EQ(run({"step", "3"}).status, kOk);
  EXPECT_EQ(run({"step"}).status, kOk);
  EXPECT_EQ(cluster.transport()->value.steps, 4U);
  EXPECT_EQ(run({"step", "5", "--fps", "30"}).out, "5 frames on\n");
  EXPECT_EQ(cluster.transport()->value.steps, 9U);
  EXPECT_EQ(run({"resume"}).status, kOk);
  EXPECT_THAT(run({"step", "5", "--fps", "30"}).err, HasSubstr("submix pause"));
  EXPECT_FALSE(cluster.transport()->value.is_paused);
}

TEST_F(CommandsTest, BlackOutAndFreezeAreStatesOfTheCluster) {
  cluster::Cluster cluster(*bus_);
  EXPECT_EQ(run({"apply", file(kShow), "--no-wait"}).status, kOk);
  EXPECT_EQ(run({"blackout"}).status, kOk);
  EXPECT_EQ(run({"freeze", "on"}).status, kOk);
  EXPECT_TRUE(cluster.transport()->value.is_black);
  EXPECT_TRUE(cluster.transport()->value.is_frozen);
  EXPECT_FALSE(cluster.transport()->value.is_paused);
  EXPECT_THAT(run({"status"}).out, HasSubstr("all outputs black (submix blackout off)"));
  EXPECT_EQ(run({"blackout", "off"}).status, kOk);
  EXPECT_FALSE(cluster.transport()->value.is_black);
  EXPECT_TRUE(cluster.transport()->value.is_frozen) << "each by itself";
  EXPECT_NE(run({"freeze", "perhaps"}).status, kOk);
  EXPECT_EQ(run({"freeze", "off"}).status, kOk);
  EXPECT_THAT(run({"status"}).out, Not(HasSubstr("all outputs")));
}

TEST_F(CommandsTest, SnapshotWritesAPicture) {
  const FakeNode node(*bus_, "solo");
  ASSERT_EQ(apply(kShow).status, kOk);
  const auto outcome = run({"snapshot", "left", "-o", (folder_ / "left.png").string()});
  EXPECT_EQ(outcome.status, kOk) << outcome.err;
  EXPECT_EQ(media::read_png(folder_ / "left.png")->size, (Size{2, 1}));
  EXPECT_THAT(run({"snapshot", "lfet", "-o", "x.png"}).err, HasSubstr("did you mean \"left\""));
  EXPECT_EQ(run({"snapshot", "left", "-o", "/nowhere/x.png"}).status, kFailed);
}

TEST_F(CommandsTest, SnapshotIsNamedAfterItsSlotUnlessTold) {
  const FakeNode node(*bus_, "solo");
  ASSERT_EQ(apply(kShow).status, kOk);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  EXPECT_THAT(run({"snapshot", "left"}).out, StartsWith("left.png: frame 7 of left"));
  EXPECT_THAT(run({"snapshot", "left.pattern"}).out, StartsWith("left.pattern.png: "));
  std::filesystem::current_path(before);
  EXPECT_TRUE(media::read_png(folder_ / "left.png"));
  EXPECT_TRUE(media::read_png(folder_ / "left.pattern.png"));
}

TEST_F(CommandsTest, PluginsListsANodesPlugins) {
  const FakeNode node(*bus_, "solo");
  EXPECT_THAT(run({"plugins"}).out,
              AllOf(StartsWith("PLUGIN"), HasSubstr("frei0r/glow  filter  ?        glows")));
  EXPECT_THAT(run({"plugins", "pattern"}).out,
              HasSubstr("speed      number  4        -64 to 64  pixels a frame"));
  EXPECT_THAT(run({"plugins", "patern"}).err, HasSubstr("did you mean \"pattern\""));
  EXPECT_THAT(run({"plugins", "--node", "nobody"}).err,
              HasSubstr("node \"nobody\" does not answer"));
}

/// "left" of kShow. Its end has taken `frames` of ten frames; two are in its queue.
telemetry::SubmixReading left_that_took(std::uint64_t frames) {
  telemetry::StageReading pattern;
  pattern.slot = "pattern";
  pattern.frames = 10;
  telemetry::StageReading end;
  end.slot = "end";
  end.frames = frames;
  end.queues = {{.from = "pattern", .size = 2, .frames_put = 10, .frames_taken = frames}};
  return {.name = "left", .stages = {pattern, end}};
}

TEST_F(CommandsTest, LedgerSucceedsWhereItBalances) {
  const FakeNode node(*bus_, "solo", {left_that_took(8)});
  ASSERT_EQ(apply(kShow).status, kOk);
  const auto outcome = run({"ledger"});
  EXPECT_EQ(outcome.status, kOk) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("left.pattern to left.end"));
}

TEST_F(CommandsTest, LedgerFailsWhereAFrameIsMissing) {
  const FakeNode node(*bus_, "solo", {left_that_took(7)});
  ASSERT_EQ(apply(kShow).status, kOk);
  const auto outcome = run({"ledger"});
  EXPECT_EQ(outcome.status, kFailed) << outcome.out;
  EXPECT_EQ(run({"ledger", "--json"}).status, kFailed);
}

TEST_F(CommandsTest, StatusAndWatchTellJsonToMachines) {
  const FakeNode node(*bus_, "solo");
  ASSERT_EQ(apply(kShow).status, kOk);
  const auto status = nlohmann::json::parse(run({"status", "--json"}).out);
  EXPECT_EQ(status["nodes"][0]["health"], "healthy");
  EXPECT_EQ(status["submixes"][0]["state"], "running");
  const auto lines = run({"watch", "--json", "--seconds", "2"}).out;
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
  EXPECT_TRUE(nlohmann::json::accept(lines.substr(0, lines.find('\n'))));
  EXPECT_THAT(run({"status"}).out, HasSubstr("solo  healthy"));
}

TEST_F(CommandsTest, ShowSaveWritesWhatApplyReadsAndReplacesNothingUnasked) {
  const FakeNode node(*bus_, "solo");
  ASSERT_EQ(apply(kShow).status, kOk);
  const auto saved = (folder_ / "saved.toml").string();
  const auto first = run({"show", "save", saved});
  EXPECT_EQ(first.status, kOk) << first.err;
  EXPECT_EQ(show::parse(read_text_file(saved).value(), saved).value(), desired());
  const auto again = run({"show", "save", saved});
  EXPECT_EQ(again.status, kFailed);
  EXPECT_THAT(again.err, HasSubstr("--force replaces it"));
  EXPECT_EQ(run({"show", "save", saved, "--force"}).status, kOk);
  EXPECT_EQ(show::parse(run({"show", "save", "-"}).out, "out").value(), desired());
}

TEST_F(CommandsTest, ASubmixIsAddedToANodeThatIsKnownWithAPluginThatItHas) {
  const FakeNode node(*bus_, "solo");
  ASSERT_EQ(apply(kShow).status, kOk);
  EXPECT_THAT(run({"submix", "add", "right", "--node", "slo"}).err,
              HasSubstr("neither in the show nor running (did you mean \"solo\"?)"));
  EXPECT_THAT(run({"submix", "add", "right", "--node", "solo", "--plugin", "patern"}).err,
              HasSubstr("plugin \"patern\" is not on node"));
  EXPECT_EQ(desired().submixes.size(), 1U);
  EXPECT_THAT(run({"slot", "insert", "left.pattern", "glow"}).err,
              HasSubstr("plugin \"glow\" is not known to a node that is here"));
  EXPECT_EQ(run({"submix", "add", "right", "--node", "solo"}).status, kOk);
}

TEST_F(CommandsTest, AlertsTellOfAShowThatNobodyCanRead) {
  ASSERT_TRUE(cluster::Cluster(*bus_).put_show({"[[submix]]\n[[submix.slot]]\n", "somebody"}, {}));
  const auto outcome = run({"alerts"});
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("the desired show"), HasSubstr("cannot be read: the cluster's show"),
                    HasSubstr("submix apply FILE")));
}

TEST(Commands, NameTheFullDiskOfNatsAndNoNode) {
  if (!testing::does_nats_hang_on_a_full_disk()) GTEST_SKIP() << "it refuses the write instead";
  const TemporaryFolder folder;
  ::setenv("XDG_STATE_HOME", (folder / "state").c_str(), 1);
  const testing::SmallDisk disk(folder / "nats");
  if (!disk.is_ready()) GTEST_SKIP() << testing::SmallDisk::kNeeds;
  const auto server = local::NatsServer::start({disk.folder()});
  ASSERT_TRUE(server) << server.error().message;
  const auto run = [&](const std::string& command) {
    return submix({command, "--nats", server->url()});
  };
  {
    const auto bus = cluster::Bus::connect({server->url(), "test"});
    ASSERT_TRUE(bus) << bus.error().message;
    ASSERT_TRUE(cluster::Cluster(**bus).put_show({kShow, "test"}, {}));
    disk.fill();
    ASSERT_FALSE((*bus)->put("submix-desired", "large", std::string(100'000, 'x')));
    ASSERT_FALSE((*bus)->put("submix-reported", "large", std::string(100'000, 'x')));
  }

  const auto alerts = run("alerts");
  EXPECT_EQ(alerts.status, kFailed);
  EXPECT_THAT(alerts.out, AllOf(HasSubstr("the disk is full where NATS keeps its state"),
                                HasSubstr("start NATS again")));
  for (const auto* command : {"alerts", "status", "bottleneck"}) {
    const auto said = run(command);
    EXPECT_THAT(said.out + said.err,
                AllOf(HasSubstr("its store does not"), Not(HasSubstr("not started")),
                      Not(HasSubstr("start it")), Not(HasSubstr("no show is applied"))))
        << command;
  }
  EXPECT_THAT(submix({"apply", "--nats", server->url(), SUBMIX_CONFIGS "/shows/duo.toml"}).err,
              AllOf(HasSubstr("is the disk full"), Not(HasSubstr("--force"))));
}

// Such a server tells who writes, and nobody who reads: alerts do not know of the disk.
TEST(Commands, NameTheFullDiskOfNatsThatRefusesAShow) {
  if (testing::does_nats_hang_on_a_full_disk()) GTEST_SKIP() << "it hangs instead";
  const TemporaryFolder folder;
  ::setenv("XDG_STATE_HOME", (folder / "state").c_str(), 1);
  const testing::SmallDisk disk(folder / "nats");
  if (!disk.is_ready()) GTEST_SKIP() << testing::SmallDisk::kNeeds;
  const auto server = local::NatsServer::start({disk.folder()});
  ASSERT_TRUE(server) << server.error().message;
  const auto bus = cluster::Bus::connect({server->url(), "test"});
  ASSERT_TRUE(bus) << bus.error().message;
  ASSERT_TRUE(cluster::Cluster(**bus).put_show({kShow, "test"}, {}));
  disk.fill();
  const std::string small(100, 'x');  // the last block of NATS's file has room for some
  for (int i = 0; i < 100 && (*bus)->put("submix-desired", "filling", small); ++i) {
  }
  EXPECT_THAT(submix({"apply", "--nats", server->url(), SUBMIX_CONFIGS "/shows/duo.toml"}).err,
              AllOf(HasSubstr("is the disk full"), Not(HasSubstr("--force"))));
  EXPECT_THAT(submix({"show", "save", "-", "--nats", server->url()}).out, HasSubstr("solo"))
      << "the former show stays";
}

TEST_F(CommandsTest, AlertsTellThatTheShowIsSlow) {
  telemetry::SubmixReading left;
  left.name = "left";
  for (const auto* slot : {"pattern", "end"}) {
    left.stages.emplace_back();
    left.stages.back().slot = slot;
  }
  const FakeNode node(*bus_, "solo", {left}, 10);
  ASSERT_EQ(apply(kShow).status, kOk);
  const auto outcome = run({"alerts"});
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(outcome.out, HasSubstr("left shows 10.0 of 30 fps"));
}

TEST_F(CommandsTest, AlertsNameANodeThatIsMissing) {
  ASSERT_EQ(run({"alerts"}).status, kOk);
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  const auto outcome = run({"alerts"});
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(outcome.out, HasSubstr("node solo"));
  const auto told = nlohmann::json::parse(run({"alerts", "--json"}).out);
  EXPECT_EQ(told.at("alerts").at(0).at("thing"), "node solo");
}

}  // namespace
}  // namespace submix::cli
