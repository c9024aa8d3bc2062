// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/built_ins.hpp"
#include "tests/plugin/bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace submix::plugin {
namespace {

using ::testing::ElementsAre;
using Pixel = std::vector<int>;

constexpr Size kSize{256, 128};

class TransformTest : public ::testing::Test {
 protected:
  media::Frame made(const media::Frame& input, show::Parameters parameters) {
    const auto transform = bench_.make("transform", std::move(parameters)).value();
    return bench_.run(*transform, 0, {input});
  }
  static Pixel at(const media::Frame& frame, int x, int y) {
    const auto pixel = frame.rgba().subspan(static_cast<std::size_t>(y * kSize.width + x) * 4, 4);
    return {pixel.begin(), pixel.end()};
  }

  Bench bench_{kSize};
  const media::Frame noise_ = bench_.noise(1);
  const media::Frame red_ = bench_.filled(200, 0, 0);
};

TEST_F(TransformTest, PassesThePictureOnUnlessItChangesIt) {
  EXPECT_EQ(made(noise_, {}).rgba().data(), noise_.rgba().data());
}

TEST_F(TransformTest, MovesByWholePixelsWithoutLoss) {
  const auto moved = made(noise_, {{"x", 0.25}, {"y", -0.5}});
  for (const auto& [x, y] : {std::pair(64, 0), {255, 63}, {100, 20}})
    EXPECT_EQ(at(moved, x, y), at(noise_, x - 64, y + 64)) << x << ", " << y;
  EXPECT_THAT(at(moved, 62, 20), ElementsAre(0, 0, 0, 0)) << "transparent around it";
  EXPECT_THAT(at(moved, 100, 65), ElementsAre(0, 0, 0, 0));
}

TEST_F(TransformTest, TurnsHalfAroundAndMirrorsWithoutLoss) {
  const auto turned = made(noise_, {{"rotation", 180.0}});
  EXPECT_EQ(at(turned, 10, 20), at(noise_, 245, 107));
  const auto mirrored = made(noise_, {{"mirror", true}});
  EXPECT_EQ(at(mirrored, 10, 20), at(noise_, 245, 20));
}

TEST_F(TransformTest, TurnsClockwise) {
  const auto upper = bench_.filled(0, 100, 0);
  const auto cropped = made(upper, {{"crop_bottom", 0.5}});
  const auto turned = made(cropped, {{"rotation", 90.0}});
  EXPECT_THAT(at(turned, 128 + 30, 64), ElementsAre(0, 100, 0, 255)) << "the upper half is right";
  EXPECT_THAT(at(turned, 128 - 30, 64), ElementsAre(0, 0, 0, 0));
}

TEST_F(TransformTest, ScalesAroundItsMiddle) {
  const auto small = made(red_, {{"scale", 0.5}});
  EXPECT_THAT(at(small, 65, 33), ElementsAre(200, 0, 0, 255));
  EXPECT_THAT(at(small, 190, 94), ElementsAre(200, 0, 0, 255));
  EXPECT_THAT(at(small, 61, 64), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(at(small, 128, 97), ElementsAre(0, 0, 0, 0));
  const auto large = made(red_, {{"scale", 4.0}});
  EXPECT_THAT(at(large, 0, 0), ElementsAre(200, 0, 0, 255));
}

TEST_F(TransformTest, CropsAndDims) {
  const auto made_so = made(red_, {{"crop_left", 0.5}, {"crop_top", 0.25}, {"opacity", 0.5}});
  EXPECT_THAT(at(made_so, 200, 64), ElementsAre(200, 0, 0, 127));
  EXPECT_THAT(at(made_so, 126, 64), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(at(made_so, 200, 30), ElementsAre(0, 0, 0, 0));
  const auto nothing = made(red_, {{"crop_left", 0.7}, {"crop_right", 0.7}});
  EXPECT_THAT(at(nothing, 128, 64), ElementsAre(0, 0, 0, 0));
}

TEST_F(TransformTest, KeepsTheColourAtASoftEdge) {
  const auto moved = made(red_, {{"x", 0.25 + 0.5 / kSize.width}});
  const auto edge = at(moved, 64, 64);
  EXPECT_EQ(edge[0], 200) << "no dark edge";
  EXPECT_NEAR(edge[3], 128, 1) << "half seen";
}

// Any value that the description allows: nothing is read or written beyond the pictures, and a
// plain colour stays that colour.
TEST_F(TransformTest, StaysWithinThePictureAtAnyValue) {
  const auto transform = bench_.make("transform").value();
  std::mt19937 random(7);
  const auto description = transform_description();
  for (int round = 0; round < 400; ++round) {
    for (const auto& parameter : description.parameters) {
      if (parameter.type != ParameterType::number) continue;
      std::uniform_real_distribution<double> any(parameter.minimum, parameter.maximum);
      const double edge = random() % 2 == 0 ? parameter.minimum : parameter.maximum;
      transform->set(parameter.name, random() % 4 == 0 ? edge : any(random));
    }
    transform->set("opacity", 1.0);
    const auto frame = bench_.run(*transform, 0, {red_});
    for (std::size_t i = 0; i < frame.rgba().size(); i += 4) {
      const auto pixel = frame.rgba().subspan(i, 4);
      ASSERT_TRUE(pixel[3] == 0 || (pixel[0] == 200 && pixel[1] == 0 && pixel[2] == 0))
          << "round " << round << ", byte " << i;
    }
  }
}

}  // namespace
}  // namespace submix::plugin
