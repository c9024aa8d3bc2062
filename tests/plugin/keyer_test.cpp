// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/built_ins.hpp"
#include "tests/plugin/bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace submix::plugin {
namespace {

using ::testing::ElementsAre;
using Channels = std::vector<int>;

class KeyerTest : public ::testing::Test {
 protected:
  Channels keyed(const media::Frame& input, show::Parameters parameters = {}) {
    const auto keyer = bench_.make("keyer", std::move(parameters)).value();
    const auto frame = bench_.run(*keyer, 0, {input});
    return {frame.rgba().begin(), frame.rgba().begin() + 4};
  }
  int alpha(int red, int green, int blue, show::Parameters parameters = {}) {
    const auto part = [](int channel) { return static_cast<std::uint8_t>(channel); };
    return keyed(bench_.filled(part(red), part(green), part(blue)), std::move(parameters))[3];
  }

  Bench bench_{Size{64, 32}};
};

TEST_F(KeyerTest, TakesTheGreenOfAScreenAwayAndLeavesPeople) {
  for (const int light : {150, 190, 230})
    EXPECT_EQ(alpha(light / 5, light, light / 4), 0) << light;
  EXPECT_EQ(alpha(224, 172, 140), 255) << "skin";
  EXPECT_EQ(alpha(255, 255, 255), 255);
  EXPECT_EQ(alpha(0, 0, 0), 255);
  EXPECT_EQ(alpha(0, 0, 255), 255);
}

TEST_F(KeyerTest, KeysTheColourThatIsChosenAsNearAsItIsSaid) {
  const show::Parameters blue{{"color", std::vector<double>{0, 0, 1}}};
  EXPECT_EQ(alpha(0, 0, 255, blue), 0);
  EXPECT_EQ(alpha(38, 191, 51, blue), 255);
  EXPECT_EQ(alpha(60, 130, 60, {{"tolerance", 0.0}, {"softness", 0.0}}), 255);
  EXPECT_EQ(alpha(60, 130, 60, {{"tolerance", 1.0}}), 0);
  const int edge = alpha(60, 130, 60, {{"tolerance", 0.3}, {"softness", 1.0}});
  EXPECT_GT(edge, 0);
  EXPECT_LT(edge, 255);
}

TEST_F(KeyerTest, TakesTheDarkAway) {
  const show::Parameters luma{{"mode", std::string("luma")}};
  EXPECT_EQ(alpha(0, 0, 0, luma), 0);
  EXPECT_EQ(alpha(0, 255, 0, luma), 255) << "bright, whatever its colour";
  EXPECT_EQ(alpha(255, 255, 255, {{"mode", std::string("luma")}, {"invert", true}}), 0);
}

TEST_F(KeyerTest, TakesGreenLightOffWhatStays) {
  const auto skin = bench_.filled(200, 220, 140);
  EXPECT_THAT(keyed(skin, {{"spill", 0.0}}), ElementsAre(200, 220, 140, 255));
  EXPECT_THAT(keyed(skin, {{"spill", 1.0}}), ElementsAre(200, 200, 140, 255));
  EXPECT_THAT(keyed(bench_.filled(220, 200, 140)), ElementsAre(220, 200, 140, 255));
}

TEST_F(KeyerTest, FollowsANewValueAndKeepsATransparencyThatIsThere) {
  const auto keyer = bench_.make("keyer", {}).value();
  const auto green = bench_.filled(38, 191, 51);
  EXPECT_EQ(bench_.run(*keyer, 0, {green}).rgba()[3], 0);
  keyer->set("invert", true);
  EXPECT_EQ(bench_.run(*keyer, 1, {green}).rgba()[3], 255);
  auto clear = bench_.make("transform", {{"opacity", 0.5}}).value();
  const auto half = bench_.run(*clear, 0, {green});
  EXPECT_EQ(bench_.run(*keyer, 2, {half}).rgba()[3], half.rgba()[3]);
}

}  // namespace
}  // namespace submix::plugin
