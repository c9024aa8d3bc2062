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

class ColourTest : public ::testing::Test {
 protected:
  Channels graded(const media::Frame& input, show::Parameters parameters) {
    const auto colour = bench_.make("colour", std::move(parameters)).value();
    const auto frame = bench_.run(*colour, 0, {input});
    return {frame.rgba().begin(), frame.rgba().begin() + 4};
  }

  Bench bench_{Size{64, 32}};
  const media::Frame noise_ = bench_.noise(1);
  const media::Frame orange_ = bench_.filled(200, 100, 40);
};

TEST_F(ColourTest, PassesThePictureOnUnlessItChangesIt) {
  const auto colour = bench_.make("colour", {}).value();
  EXPECT_EQ(bench_.run(*colour, 0, {noise_}).rgba().data(), noise_.rgba().data());
}

TEST_F(ColourTest, GainMovesWhiteAndLiftMovesBlack) {
  EXPECT_THAT(graded(orange_, {{"gain", 0.5}}), ElementsAre(100, 50, 20, 255));
  EXPECT_THAT(graded(orange_, {{"gain", 2.0}}), ElementsAre(255, 200, 80, 255));
  EXPECT_THAT(graded(bench_.filled(255, 0, 0), {{"lift", 0.2}}), ElementsAre(255, 51, 51, 255));
  EXPECT_THAT(graded(bench_.filled(255, 0, 128), {{"gamma", 2.0}}), ElementsAre(255, 0, 181, 255));
}

TEST_F(ColourTest, ChangesOneChannel) {
  EXPECT_THAT(graded(orange_, {{"red", 0.5}}), ElementsAre(100, 100, 40, 255));
  EXPECT_THAT(graded(orange_, {{"blue", 2.0}}), ElementsAre(200, 100, 80, 255));
}

TEST_F(ColourTest, WithoutSaturationAllIsGrayOfTheSameBrightness) {
  EXPECT_THAT(graded(orange_, {{"saturation", 0.0}}), ElementsAre(117, 117, 117, 255));
  EXPECT_THAT(graded(bench_.filled(90, 90, 90), {{"saturation", 3.0}}),
              ElementsAre(90, 90, 90, 255));
}

TEST_F(ColourTest, TurnsTheHueAndKeepsGray) {
  EXPECT_THAT(graded(bench_.filled(90, 90, 90), {{"hue", 120.0}}), ElementsAre(90, 90, 90, 255));
  const auto turned = graded(bench_.filled(220, 0, 0), {{"hue", 120.0}});
  EXPECT_GT(turned[1], turned[0]) << "red has become green";
  EXPECT_GT(turned[1], turned[2]);
}

TEST_F(ColourTest, FollowsANewValueAndLeavesAlphaAlone) {
  const auto colour = bench_.make("colour", {{"gain", 0.5}}).value();
  EXPECT_EQ(bench_.run(*colour, 0, {orange_}).rgba()[0], 100);
  colour->set("gain", 0.25);
  EXPECT_EQ(bench_.run(*colour, 1, {orange_}).rgba()[0], 50);
  auto clear = bench_.make("transform", {{"opacity", 0.5}}).value();
  const auto half = bench_.run(*clear, 0, {orange_});
  EXPECT_EQ(bench_.run(*colour, 2, {half}).rgba()[3], half.rgba()[3]);
}

}  // namespace
}  // namespace submix::plugin
