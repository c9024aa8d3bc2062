// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/osc_space.hpp"

#include "tests/input/scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace submix::input {
namespace {

using show::ParameterValue;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class OscSpaceTest : public ::testing::Test {
 protected:
  [[nodiscard]] Result<std::vector<OscMatch>> find(std::string_view address) const {
    OscBudget budget;
    return find_matches(stage_.scene(), address, budget);
  }
  [[nodiscard]] std::vector<std::string> addresses(std::string_view pattern) const {
    std::vector<std::string> addresses;
    const auto matches = find(pattern).value();
    for (const auto& match : matches)
      addresses.push_back(osc_address(match));
    return addresses;
  }
  [[nodiscard]] std::string fault(std::string_view address) const {
    const auto found = find(address);
    return found ? "" : found.error().message;
  }
  [[nodiscard]] OscMatch match(std::string_view address) const {
    return find(address).value().at(0);
  }
  sample::Stage stage_;
};

TEST_F(OscSpaceTest, EachAddressMeansOnePlace) {
  for (const auto* address :
       {"/submix/left/glow/Blur", "/submix/left/glow/Border_width/value", "/bypass/left/glow",
        "/assign/left", "/transport/pause", "/transport/step", "/transport/black",
        "/transport/freeze", "/tempo", "/speed"})
    EXPECT_THAT(addresses(address), ElementsAre(address));
}

TEST_F(OscSpaceTest, KnobsAndCuesAreThoseOfTheShow) {
  auto show = *stage_.view().show;
  show.knobs = {{"heat", 0.25, {}}, {"haze", 0.5, {}}};
  show.cues.emplace_back();
  show.cues[0].name = "finale";
  stage_.view().show = std::make_shared<const show::Show>(std::move(show));
  EXPECT_THAT(addresses("/knob/h*"), ElementsAre("/knob/heat", "/knob/haze"));
  EXPECT_EQ(present_message(match("/knob/heat")), (OscMessage{"/knob/heat", {0.25F}}));
  EXPECT_THAT(addresses("/go"), ElementsAre("/go"));
  EXPECT_THAT(addresses("/go/finale"), ElementsAre("/go/finale"));
  EXPECT_THAT(fault("/go/final"), HasSubstr("did you mean \"finale\""));
  EXPECT_THAT(fault("/knob/haet"), HasSubstr("no knob \"haet\""));
}

TEST_F(OscSpaceTest, APatternMeansAllThatMatch) {
  EXPECT_THAT(addresses("/submix/*/{clip,glow}/[sB]*"),
              ElementsAre("/submix/left/clip/speed", "/submix/left/glow/Blur",
                          "/submix/left/glow/Border_width"));
  EXPECT_EQ(addresses("/bypass/*/*").size(), 5U);
  EXPECT_THAT(addresses("/assign/*"), ElementsAre("/assign/left", "/assign/mix"));
}

TEST_F(OscSpaceTest, SaysWhatAnAddressThatMeansNothingLacks) {
  EXPECT_THAT(fault("/submix/lfet/glow/Blur"), HasSubstr("did you mean \"left\""));
  EXPECT_THAT(fault("/submix/left/glwo/Blur"), HasSubstr("did you mean \"glow\""));
  EXPECT_THAT(fault("/submix/left/glow/Blru"), HasSubstr("did you mean \"Blur\""));
  EXPECT_THAT(fault("/bypass/left/glwo"), HasSubstr("did you mean \"glow\""));
  EXPECT_THAT(fault("/assign/lfet"), HasSubstr("did you mean \"left\""));
  for (const auto* address : {"", "/", "left", "/submix", "/submix/left/glow",
                              "/submix/left/glow/Blur/x", "/transport/stop", "/tempo/x", "//////"})
    EXPECT_THAT(fault(address), HasSubstr("no address has this form")) << address;
  stage_.view().show = nullptr;
  EXPECT_THAT(fault("/submix/left/glow/Blur"), HasSubstr("no show"));
}

TEST_F(OscSpaceTest, TellsPositionsOrUnits) {
  EXPECT_EQ(present_message(match("/submix/left/clip/speed")),
            (OscMessage{"/submix/left/clip/speed", {0.625F}}));
  EXPECT_EQ(present_message(match("/submix/left/clip/speed/value")),
            (OscMessage{"/submix/left/clip/speed/value", {1.0F}}));
  EXPECT_EQ(present_message(match("/submix/left/clip/mode")),
            (OscMessage{"/submix/left/clip/mode", {std::string("once")}}));
  EXPECT_EQ(present_message(match("/submix/left/glow/tint")),
            (OscMessage{"/submix/left/glow/tint", {1.0F, 0.5F, 0.0F}}));
  EXPECT_EQ(present_message(match("/assign/left")),
            (OscMessage{"/assign/left", {std::string("rack1")}}));
}

TEST_F(OscSpaceTest, TellsNobodyTheSecretPartOfAnAddress) {
  stage_.change(model::SetParameter{
      {"left", "clip"}, "file", std::string("rtmp://vj:horse@live.example/app/key")});
  EXPECT_EQ(present_message(match("/submix/left/clip/file")),
            (OscMessage{"/submix/left/clip/file", {std::string("rtmp://live.example")}}));
}

TEST_F(OscSpaceTest, ReadsWhatIsSent) {
  const auto wanted = [&](const char* address, std::vector<OscArgument> arguments) {
    return wanted_value(match(address), arguments);
  };
  EXPECT_EQ(wanted("/submix/left/clip/speed", {0.5F}), ParameterValue(0.0));
  EXPECT_EQ(wanted("/submix/left/clip/speed", {std::int32_t{1}}), ParameterValue(4.0));
  EXPECT_EQ(wanted("/submix/left/clip/speed/value", {-2.5F}), ParameterValue(-2.5));
  EXPECT_EQ(wanted("/submix/left/clip/speed/value", {99.0F}), ParameterValue(4.0));
  EXPECT_EQ(wanted("/submix/left/clip/mode", {std::int32_t{1}}), ParameterValue("loop"));
  EXPECT_EQ(wanted("/submix/left/clip/mode", {1.0F}), ParameterValue("bounce"));
  EXPECT_EQ(wanted("/submix/left/clip/loop", {0.6F}), ParameterValue(true));
  EXPECT_EQ(wanted("/submix/left/clip/loop", {false}), ParameterValue(false));
  EXPECT_EQ(wanted("/submix/left/glow/tint", {0.1F, std::int32_t{1}, 0.0F})->index(), 3U);
  EXPECT_EQ(wanted("/assign/left", {std::string("rack2")}), ParameterValue("rack2"));
  EXPECT_EQ(wanted("/assign/left", {std::string()}), ParameterValue(""));
}

TEST_F(OscSpaceTest, RefusesWhatIsOfAnotherTypeOrNoNumber) {
  const auto is_refused = [&](const char* address, std::vector<OscArgument> arguments) {
    return !wanted_value(match(address), arguments);
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(is_refused("/submix/left/clip/speed", {nan}));
  EXPECT_TRUE(is_refused("/submix/left/clip/speed/value", {nan}));
  EXPECT_TRUE(is_refused("/submix/left/clip/speed", {std::string("fast")}));
  EXPECT_TRUE(is_refused("/submix/left/clip/speed", {0.1F, 0.2F}));
  EXPECT_TRUE(is_refused("/submix/left/glow/tint", {0.1F}));
  EXPECT_TRUE(is_refused("/submix/left/glow/tint", {0.1F, nan, 0.2F}));
  EXPECT_TRUE(is_refused("/submix/left/clip/mode", {std::string("bounces")}));
  EXPECT_TRUE(is_refused("/assign/left", {std::string("rack9")}));
  EXPECT_TRUE(is_refused("/assign/left", {0.5F}));
}

}  // namespace
}  // namespace submix::input
