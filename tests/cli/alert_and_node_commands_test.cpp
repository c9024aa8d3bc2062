// SPDX-License-Identifier: GPL-3.0-or-later
// Commands about alerts, ended nodes, and plugins that a node refuses.
#include "common/base/thread.hpp"
#include "tests/cli/cluster_commands.hpp"
#include "tests/cli/fake_node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace submix::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

TEST_F(CommandsTest, AnAlertThatSomebodyHasSeenIsNoFailureUntilItComesBack) {
  cluster::Cluster cluster(*bus_);
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  const auto unknown = run({"alerts", "--seen", "node mix"});
  EXPECT_EQ(unknown.status, kFailed);
  EXPECT_THAT(unknown.err, HasSubstr("no alert is about \"node mix\" now"));
  EXPECT_EQ(run({"alerts", "--seen", "node solo"}).status, kFailed) << "the show is slow, too";
  EXPECT_THAT(cluster.alerts_seen()->things, ElementsAre("node solo"));
  EXPECT_EQ(run({"alerts", "--seen", "all"}).status, kOk);
  EXPECT_THAT(cluster.alerts_seen()->things, UnorderedElementsAre("node solo", "the show"));
  const auto seen = run({"alerts"});
  EXPECT_EQ(seen.status, kOk);
  EXPECT_THAT(seen.out, AllOf(HasSubstr(", seen"), HasSubstr("node solo")));
  EXPECT_TRUE(nlohmann::json::parse(run({"alerts", "--json"}).out).at("alerts").at(0).at("seen"));
  {
    const FakeNode node(*bus_, "solo");
    EXPECT_THAT(run({"alerts"}).out, Not(HasSubstr("node solo")));
    EXPECT_THAT(cluster.alerts_seen()->things, ElementsAre("the show"));
  }
  EXPECT_EQ(run({"alerts"}).status, kFailed) << "it is to be seen again";
}

cluster::NodeReport running_report() {
  cluster::NodeReport report;
  report.node = "solo";
  report.submixes = {{"left", cluster::SubmixState::running, ""}};
  return report;
}

TEST_F(CommandsTest, ANodeThatOnlyReportsIsNotSaidToBeWell) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  ASSERT_EQ(run({"pause"}).status, kOk);  // rates do not count
  cluster::Cluster cluster(*bus_);
  const auto reporting = start_thread("reporting", [&](const std::stop_token& stop) {
    auto report = running_report();
    while (!stop.stop_requested()) {
      report.show_revision = 2;
      ++report.cores;  // another report
      static_cast<void>(cluster.put_report(report));
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  });
  const auto outcome = run({"alerts"});
  EXPECT_EQ(outcome.status, kNotKnownYet) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("not known yet: node solo has sent no reading yet"));
}

TEST_F(CommandsTest, ADeadNodeWhoseReportComesLateIsAnAlert) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  cluster::Cluster cluster(*bus_);
  const auto late = start_thread("late", [&](const std::stop_token&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1300));
    static_cast<void>(cluster.put_report(running_report()));
  });
  const auto outcome = run({"alerts"});
  EXPECT_EQ(outcome.status, kFailed) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("node solo"));
}

TEST_F(CommandsTest, ASilenceIsCountedFromTheNodesLastSignOfLife) {
  cluster::Cluster cluster(*bus_);
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  cluster::NodeReport report;
  report.node = "solo";
  ASSERT_TRUE(cluster.put_report(report));
  EXPECT_THAT(run({"bottleneck"}).out, HasSubstr("not heard for at least"));
  ASSERT_TRUE(cluster.put_sign_of_life("solo"));
  EXPECT_THAT(run({"bottleneck"}).out, HasSubstr("silent for"));
}

TEST_F(CommandsTest, ANodeThatHasLeftIsForgotten) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  cluster::NodeReport report;
  report.node = "rack3";
  ASSERT_TRUE(cluster::Cluster(*bus_).put_report(report));
  ASSERT_THAT(run({"status"}).out, HasSubstr("rack3"));
  EXPECT_EQ(run({"node", "forget", "rack3"}).out, "node \"rack3\" is forgotten\n");
  EXPECT_THAT(run({"status"}).out, Not(HasSubstr("rack3")));
  EXPECT_THAT(run({"node", "forget", "rack3"}).err,
              HasSubstr("nobody has heard of a node \"rack3\""));
}

TEST_F(CommandsTest, ANodeOfTheShowAndOneThatRunsAreNotForgotten) {
  const FakeNode node(*bus_, "rack3");
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  const auto named = run({"node", "forget", "solo"});
  EXPECT_EQ(named.status, kFailed);
  EXPECT_THAT(
      named.err,
      HasSubstr("node \"solo\" is in the show; take it out first: submix node delete solo"));
  const auto running = run({"node", "forget", "rack3"});
  EXPECT_EQ(running.status, kFailed);
  EXPECT_THAT(running.err, HasSubstr("node \"rack3\" runs; end it on its computer first"));
}

TEST_F(CommandsTest, APluginThatIsRefusedIsNotInsertedAndTheReasonIsTold) {
  const FakeNode node(*bus_, "solo", {}, 0,
                      {{.id = "frei0r/dead", .refused_because = "it crashes when it begins"}});
  ASSERT_EQ(apply(kShow).status, kOk);
  const auto outcome = run({"slot", "insert", "left.pattern", "frei0r/dead"});
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(outcome.err,
              HasSubstr("plugin \"frei0r/dead\" cannot be used: it crashes when it begins"));
  EXPECT_EQ(desired().find_slot({"left", "dead"}), nullptr);
}

TEST_F(CommandsTest, IdentifyPutsTestCardsOnAllOutputs) {
  cluster::Cluster cluster(*bus_);
  EXPECT_EQ(run({"apply", file(kShow), "--no-wait"}).status, kOk);
  EXPECT_EQ(run({"identify"}).status, kOk);
  EXPECT_TRUE(cluster.transport()->value.has_test_cards);
  EXPECT_FALSE(cluster.transport()->value.is_black);
  EXPECT_THAT(run({"status"}).out, HasSubstr("test cards (submix identify off)"));
  EXPECT_NE(run({"identify", "perhaps"}).status, kOk);
  EXPECT_EQ(run({"identify", "off"}).status, kOk);
  EXPECT_FALSE(cluster.transport()->value.has_test_cards);
}

TEST_F(CommandsTest, OutputsListsDisplaysAndWindows) {
  EXPECT_THAT(run({"outputs"}).out, HasSubstr("no node tells of a display"));
  const FakeNode node(*bus_, "solo", {}, 0, {{.id = "window", .kind = "output"}});
  auto show = kShow;
  show.replace(show.find("\"null\""), 6, "\"window\"\nparameters = { screen = \"BenQ\" }");
  ASSERT_EQ(run({"apply", "--no-wait", "--force", file(show)}).status, kOk);
  std::string listed;
  for (int i = 0; i < 100 && listed.find("EPSON") == std::string::npos; ++i)
    listed = run({"outputs"}).out;
  EXPECT_THAT(listed, AllOf(HasSubstr("solo       0  EPSON PJ  1920x1080 at 60 Hz"),
                            HasSubstr("left.end  solo  BenQ")));
  const auto only = run({"outputs", "solo", "--json"});
  ASSERT_EQ(only.status, kOk) << only.err;
  const auto json = nlohmann::json::parse(only.out);
  EXPECT_EQ(json.at("displays").at(0).at("node"), "solo");
  EXPECT_EQ(json.at("outputs").at(0).at("wanted").at("name"), "BenQ");
  const auto unknown = run({"outputs", "sol"});
  EXPECT_EQ(unknown.status, kFailed);
  EXPECT_THAT(unknown.err, HasSubstr("no node \"sol\" is here (did you mean \"solo\"?)"));
}

TEST_F(CommandsTest, SoundIsHeardByTheNodeAndTheInputThatAPersonNames) {
  EXPECT_THAT(run({"sound", "list"}).out, HasSubstr("follows no sound: submix sound from NODE"));
  const FakeNode node(*bus_, "solo");
  ASSERT_EQ(run({"apply", "--no-wait", "--force", file(kShow)}).status, kOk);
  std::string listed;
  for (int i = 0; i < 100 && listed.find("USB") == std::string::npos; ++i)
    listed = run({"sound", "list"}).out;
  EXPECT_THAT(listed, HasSubstr("solo  alsa_input.usb  USB Audio"));

  const auto wrong = run({"sound", "from", "solo", "alsa_input.usbb"});
  EXPECT_EQ(wrong.status, kFailed);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean \"alsa_input.usb\""));
  EXPECT_NE(run({"sound", "from", "nobody"}).status, kOk);
  EXPECT_NE(run({"sound", "from", ""}).status, kOk) << "no way to switch it off";
  EXPECT_NE(run({"sound", "from", "solo", "file:/tmp/x", "--force"}).status, kOk);
  ASSERT_EQ(run({"sound", "from", "solo", "alsa_input.usb", "--force"}).status, kOk);
  EXPECT_THAT(run({"sound", "list"}).out,
              HasSubstr("solo listens to alsa_input.usb: level 0.00, bass 0.25"));
  const auto json = nlohmann::json::parse(run({"sound", "list", "--json"}).out);
  EXPECT_EQ(json.at("node"), "solo");
  EXPECT_EQ(json.at("bass"), 0.25);
  EXPECT_EQ(json.at("inputs").at(0).at("name"), "USB Audio");

  ASSERT_EQ(run({"sound", "off"}).status, kOk);
  EXPECT_THAT(run({"sound", "list"}).out, HasSubstr("follows no sound"));
}

}  // namespace
}  // namespace submix::cli
