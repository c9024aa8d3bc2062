// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/outputs_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace submix::cli {
namespace {

using ::testing::HasSubstr;

DisplaysAndOutputs all() {
  model::NodeView desk;
  desk.name = "desk";
  desk.displays = {{"eDP-1 14\"", 0, 0, {1920, 1200}, 60}, {"EPSON PJ", 1920, 0, {1920, 1080}, 0}};
  model::OutputView mix;
  mix.slot = {"mix", "screen"};
  mix.node = "desk";
  mix.screen = "EPSON PJ";
  mix.number = 1;
  mix.display = desk.displays[1];
  mix.is_fullscreen = true;
  mix.state = model::SubmixState::running;
  mix.fps = 29.97;
  return {{desk}, {mix}};
}

TEST(OutputsText, ShowsDisplaysAndWhatIsOnThem) {
  EXPECT_EQ(outputs_text(all()),
            "NODE  NUMBER  DISPLAY    MODE                CORNER\n"
            "desk       0  eDP-1 14\"  1920x1200 at 60 Hz  0,0\n"
            "desk       1  EPSON PJ   1920x1080           1920,0\n"
            "\n"
            "OUTPUT      NODE  ASKS FOR  IS ON     AS            FPS\n"
            "mix.screen  desk  EPSON PJ  EPSON PJ  full screen  30.0\n");
}

TEST(OutputsText, SaysWhyAnOutputIsNotOnItsDisplay) {
  auto missing = all();
  missing.outputs[0].trouble = "the display \"BenQ\" is missing";
  EXPECT_THAT(outputs_text(missing), HasSubstr("\nmix.screen: the display \"BenQ\" is missing\n"));
}

TEST(OutputsText, SaysThatThereIsNothing) {
  const auto text = outputs_text({});
  EXPECT_THAT(text, HasSubstr("no node tells of a display"));
  EXPECT_THAT(text, HasSubstr("the show has no output"));
}

TEST(OutputsText, IsOneLineOfJsonForPrograms) {
  auto some = all();
  some.outputs.emplace_back().slot = {"mix", "look"};
  some.outputs[0].trouble = "a \xff";  // of a peer
  const auto text = outputs_json(some);
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["displays"][1]["name"], "EPSON PJ");
  EXPECT_EQ(json["displays"][1]["number"], 1);
  EXPECT_EQ(json["displays"][1]["x"], 1920);
  EXPECT_EQ(json["displays"][0]["height"], 1200);
  EXPECT_EQ(json["displays"][0]["refresh_hz"], 60);
  EXPECT_EQ(json["outputs"][0]["output"], "mix.screen");
  EXPECT_EQ(json["outputs"][0]["wanted"]["name"], "EPSON PJ");
  EXPECT_EQ(json["outputs"][0]["display"], "EPSON PJ");
  EXPECT_EQ(json["outputs"][0]["is_full_screen"], true);
  EXPECT_TRUE(json["outputs"][1]["display"].is_null());
}

}  // namespace
}  // namespace submix::cli
