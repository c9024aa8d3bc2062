// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/output_views.hpp"

#include "controller/model/view/cluster_model.hpp"
#include "tests/model/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>

namespace submix::model {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

const show::Port kScreen{"mix", "screen"};
const Display kPanel{"eDP-1 14\"", 0, 0, {1920, 1200}, 60};
const Display kProjector{"EPSON PJ", 1920, 0, {1920, 1080}, 50};

class OutputViewsTest : public ::testing::Test {
 protected:
  OutputViewsTest() {
    report_.displays = {kPanel, kProjector};
    reading_.node = "rack2";
    reading_.instance = "a";
    reading_.sequence = 1;
    telemetry::SubmixReading mix;
    mix.name = "mix";
    mix.stages.push_back({.slot = "screen", .plugin = "window", .queues = {}, .counters = {}});
    reading_.submixes.push_back(mix);
    report_.submixes.push_back({"mix", cluster::SubmixState::running, {}});
  }
  show::Parameters& parameters() { return show_.find_slot(kScreen)->parameters; }
  telemetry::StageReading& stage() { return reading_.submixes[0].stages[0]; }
  void place(std::uint64_t display, bool is_fullscreen) {
    stage().counters = {
        {"unseen", 0}, {"display", display}, {"full_screen", is_fullscreen ? 1 : 0}};
  }
  OutputView output() {
    ClusterModel model;
    model.set_connection(ConnectionState::connected, "nats", kNow);
    model.set_show(std::make_shared<show::Show>(show_), 1, "test");
    model.accept(report_, kNow);
    model.accept(reading_, kNow);
    const auto outputs = outputs_of(model.view(kNow));
    EXPECT_THAT(outputs, SizeIs(1));
    return outputs.empty() ? OutputView() : outputs.front();
  }

  static constexpr LocalTime kNow{std::chrono::seconds(10)};
  show::Show show_ = sample::show();
  cluster::NodeReport report_ = sample::report("rack2");
  telemetry::NodeReading reading_;
};

// The window read "mix.screen".
TEST_F(OutputViewsTest, HaveANameForPeopleOrTheirTitle) {
  ClusterModel model;
  const auto name_of = [&](const show::Port& slot) {
    model.set_show(std::make_shared<show::Show>(show_), 1, "test");
    return output_name(model.view(kNow), slot);
  };
  EXPECT_EQ(name_of(kScreen), "Screen of mix");
  parameters()["title"] = std::string("LED wall");
  EXPECT_EQ(name_of(kScreen), "LED wall");
  EXPECT_EQ(name_of({"mix", "gone"}), "");
}

TEST_F(OutputViewsTest, TellWhereTheNodeHasTheWindow) {
  parameters()["screen"] = std::string("EPSON PJ");
  place(2, true);
  const auto shown = output();
  EXPECT_EQ(shown.slot, kScreen);
  EXPECT_EQ(shown.node, "rack2");
  EXPECT_EQ(shown.display, kProjector);
  EXPECT_TRUE(shown.is_fullscreen) << "by hand";
  EXPECT_FALSE(shown.wants_fullscreen);
  EXPECT_FALSE(shown.is_missing);
}

TEST_F(OutputViewsTest, AreSwitchedToWhatAPersonHasMadeOfThemByHand) {
  parameters()["fullscreen"] = true;
  place(1, true);
  EXPECT_FALSE(output().is_by_hand);
  EXPECT_TRUE(output().is_switched_to_full());
  place(1, false);
  EXPECT_TRUE(output().is_by_hand) << "Escape in the window";
  EXPECT_FALSE(output().is_switched_to_full());
  parameters()["fullscreen"] = false;
  EXPECT_FALSE(output().is_by_hand);
  place(1, true);
  EXPECT_TRUE(output().is_switched_to_full()) << "F in the window";
}

TEST_F(OutputViewsTest, TellThatTheNamedDisplayIsMissing) {
  parameters()["screen"] = std::string("BenQ");
  parameters()["fullscreen"] = true;
  place(1, false);
  stage().trouble = "the display \"BenQ\" is missing";
  const auto shown = output();
  EXPECT_TRUE(shown.is_missing);
  EXPECT_EQ(shown.display, kPanel) << "it stands there";
  EXPECT_TRUE(shown.wants_fullscreen);
  EXPECT_FALSE(shown.is_fullscreen);
  EXPECT_EQ(shown.trouble, stage().trouble);
  EXPECT_FALSE(shown.is_by_hand);
  EXPECT_TRUE(shown.is_switched_to_full()) << "it will cover its display";
}

TEST_F(OutputViewsTest, TellWhereItShouldBeOfANodeOfAnOlderVersion) {
  parameters()["display"] = 1.0;
  EXPECT_EQ(output().display, kProjector);
  EXPECT_FALSE(output().is_missing);
  report_.displays.clear();
  EXPECT_EQ(output().display, std::nullopt);
  parameters()["screen"] = std::string("EPSON PJ");
  EXPECT_FALSE(output().is_missing) << "nobody knows";
}

TEST_F(OutputViewsTest, TellNothingOfAHiddenWindowsDisplay) {
  place(0, false);
  EXPECT_EQ(output().display, std::nullopt);
}

TEST_F(OutputViewsTest, StayWithWhatAnybodyMaySend) {
  for (const double number : {-5.0, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    parameters()["display"] = number;
    EXPECT_EQ(output().number, 0);
  }
  parameters()["display"] = std::string("left");
  parameters()["screen"] = 7.0;
  parameters()["fullscreen"] = std::string("yes");
  EXPECT_EQ(output().screen, "");
  place(std::numeric_limits<std::uint64_t>::max(), true);
  EXPECT_EQ(output().display, std::nullopt);
}

TEST_F(OutputViewsTest, AreTheWindowsOfTheShowInItsOrder) {
  ClusterView view;
  EXPECT_THAT(outputs_of(view), SizeIs(0));
  show_.submixes[0].slots.push_back(sample::slot("look", "window"));
  view.show = std::make_shared<show::Show>(show_);
  std::vector<show::Port> slots;
  for (const auto& output : outputs_of(view))
    slots.push_back(output.slot);
  EXPECT_THAT(slots, ElementsAre(show::Port{"left", "look"}, kScreen));
  EXPECT_TRUE(find_output(view, kScreen));
  EXPECT_FALSE(find_output(view, sample::kClip));
  EXPECT_FALSE(find_output(view, {"nobody", "screen"}));
}

}  // namespace
}  // namespace submix::model
