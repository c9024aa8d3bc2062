// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that need a cluster, with a real nats-server and a node that only says what a node says.
#include "common/base/files.hpp"
#include "common/cluster/nats_server.hpp"
#include "common/media/png.hpp"
#include "common/show/parse.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/cli/fake_node.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace submix::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::TemporaryFolder;

const std::string kShow = R"([show]
name = "solo"
size = [64, 48]
[[node]]
name = "solo"
[[submix]]
name = "left"
node = "solo"
[[submix.slot]]
name = "pattern"
plugin = "pattern"
[[submix.slot]]
name = "end"
plugin = "null"
)";

class CommandsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto server = cluster::NatsServer::start({folder_ / "nats"});
    ASSERT_TRUE(server) << server.error().message;
    server_.emplace(*std::move(server));
    auto bus = cluster::Bus::connect({server_->url(), "test"});
    ASSERT_TRUE(bus) << bus.error().message;
    bus_ = *std::move(bus);
  }

  Outcome run(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--nats", server_->url()});
    return submix(arguments);
  }
  std::string file(const std::string& text) {
    static_cast<void>(write_file_atomically(folder_ / "show.toml", text));
    return (folder_ / "show.toml").string();
  }
  Outcome apply(const std::string& text) { return run({"apply", file(text)}); }
  show::Show desired() {
    const auto toml = cluster::Cluster(*bus_).show()->value.toml;
    return show::parse(toml, "desired").value();
  }

  const TemporaryFolder folder_;
  std::optional<cluster::NatsServer> server_;
  std::unique_ptr<cluster::Bus> bus_;
};

TEST_F(CommandsTest, ApplyWaitsUntilTheNodesRunTheShow) {
  const FakeNode node(*bus_, "solo");
  const auto outcome = apply(kShow);
  EXPECT_EQ(outcome.status, kOk) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("is applied: revision"), HasSubstr("left: running on solo")));
}

TEST_F(CommandsTest, ApplyTellsWhatTheNodeCannotRunAndChangesNothing) {
  const FakeNode node(*bus_, "solo");
  auto bad = kShow;
  bad.replace(bad.find("\"null\""), 6, "\"nul\"\nparameters = { x = 1 }");
  auto outcome = apply(bad);
  for (int i = 0; i < 100 && outcome.status == kOk; ++i)
    outcome = apply(bad);  // until NATS knows the node
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(outcome.err,
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
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("not there after 1 s"), HasSubstr("submix-node --name solo")));
  EXPECT_EQ(desired().name, "solo");
  EXPECT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
}

TEST_F(CommandsTest, ApplyRefusesToOverwriteAnotherRevision) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  const auto stale = run({"apply", "--no-wait", "--revision", "1000", file(kShow)});
  EXPECT_EQ(stale.status, kFailed);
  EXPECT_THAT(stale.err,
              AllOf(HasSubstr("changed meanwhile"), HasSubstr("submix apply on"), HasSubstr("--force")));
  EXPECT_EQ(run({"apply", "--no-wait", "--revision", "1000", "--force", file(kShow)}).status, kOk);
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
  EXPECT_EQ(desired().find_slot({"left", "pattern"})->parameters.at("speed"), show::ParameterValue(-2.0));
  EXPECT_EQ(submix({"set", "--nats", server_->url(), "left.pattern.speed", "--", "-3"}).status, kOk);
  EXPECT_EQ(desired().find_slot({"left", "pattern"})->parameters.at("speed"), show::ParameterValue(-3.0));
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
            (std::vector<show::LinkRoute>{{"198.18.0.2", "198.18.0.1"}, {"fd00::2", "fd00::1"}}));
  EXPECT_EQ(run({"links", "left", "2"}).status, kOk);
  EXPECT_TRUE(desired().find_stream("left")->routes.empty());
  EXPECT_THAT(run({"links", "left", "9"}).err, HasSubstr("9 links are not within 1 to 8"));
  EXPECT_THAT(run({"links", "left", "many"}).err, HasSubstr("\"many\" is neither a number"));
  EXPECT_THAT(run({"links", "left", "1", "2"}).err, HasSubstr("write FROM=TO"));
  EXPECT_THAT(run({"links", "left", "here=there"}).err, HasSubstr("\"here\" is not an IP address"));
  EXPECT_THAT(run({"links", "lfet", "2"}).err, HasSubstr("did you mean \"left\""));
  EXPECT_EQ(desired().find_stream("left")->link_count, 2);

  EXPECT_EQ(run({"policy", "left", "latest"}).out, "left: policy latest\n");
  EXPECT_EQ(desired().find_stream("left")->policy, show::InputPolicy::latest);
  EXPECT_EQ(run({"policy", "left", "hold", "--pause-budget", "250"}).status, kOk);
  EXPECT_EQ(desired().find_stream("left")->pause_budget, std::chrono::milliseconds(250));
  EXPECT_THAT(run({"policy", "left", "hodl"}).err, HasSubstr("did you mean \"hold\""));
  EXPECT_THAT(run({"policy", "left", "hold", "--pause-budget", "-1"}).err,
              HasSubstr("pause_budget_ms -1 is not within 0 to 3600000"));
  EXPECT_THAT(run({"policy", "lfet", "wait"}).err, HasSubstr("did you mean \"left\""));
}

TEST_F(CommandsTest, AssignTakesANodeOfTheShowOrOneThatRuns) {
  static_cast<void>(run({"apply", file(kShow), "--no-wait"}));
  EXPECT_THAT(run({"assign", "left", "slo"}).err,
              HasSubstr("node \"slo\" is neither in the show nor running (did you mean \"solo\"?)"));
  EXPECT_EQ(desired().find_submix("left")->node, "solo");
  const FakeNode guest(*bus_, "rack2");
  EXPECT_EQ(run({"assign", "left", "rack2"}).status, kOk);
  EXPECT_EQ(desired().find_submix("left")->node, "rack2");
  EXPECT_EQ(run({"assign", "left"}).status, kOk);
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
  EXPECT_THAT(set.err, HasSubstr("parameter \"speed\": 99 is not within -64 to 64; give a number from"));
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
  EXPECT_EQ(run({"resume"}).status, kOk);
  EXPECT_FALSE(cluster.transport()->value.is_paused);
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
  EXPECT_THAT(run({"plugins"}).out, AllOf(StartsWith("PLUGIN"), HasSubstr("frei0r/glow  filter  glows")));
  EXPECT_THAT(run({"plugins", "pattern"}).out,
              HasSubstr("speed      number  4        -64 to 64  pixels a frame"));
  EXPECT_THAT(run({"plugins", "patern"}).err, HasSubstr("did you mean \"pattern\""));
  EXPECT_THAT(run({"plugins", "--node", "nobody"}).err, HasSubstr("node \"nobody\" does not answer"));
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

}  // namespace
}  // namespace submix::cli
