// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/effect_picture.hpp"

#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace submix::agent {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

class EffectPictureTest : public ::testing::Test {
 protected:
  EffectPictureTest() {
    plugin::add_built_ins(catalog_);
    picture_.pixels.resize(picture_.size.pixels() * 3, 200);
  }
  Result<media::Rgb24Image> made(const std::string& plugin) {
    // The host has the lowest priority: on a busy machine it may wait for a long time.
    return picture_with_effect(picture_, plugin, catalog_, hosts_, std::chrono::seconds(60));
  }

  plugin::Catalog catalog_;
  const Result<std::unique_ptr<host::HostKeeper>> hosts_ =
      host::HostKeeper::open(SUBMIX_PLUGIN_HOST);
  media::Rgb24Image picture_{{330, 187}, {}};  // as an odd show has it
};

TEST_F(EffectPictureTest, IsAsALibraryMakesIt) {
  const auto inverted = made("frei0r/invert0r");
  ASSERT_TRUE(inverted) << inverted.error().message;
  EXPECT_EQ(inverted->size, picture_.size);
  EXPECT_THAT(inverted->pixels, Each(55));
}

TEST_F(EffectPictureTest, OfABuiltInEffectNeedsNoHost) {
  const auto transformed = made("transform");
  ASSERT_TRUE(transformed) << transformed.error().message;
  EXPECT_EQ(*transformed, picture_) << "nothing is moved yet";
}

TEST_F(EffectPictureTest, ShowsSquaresWhereItIsTransparent) {
  const auto spot = made("frei0r/alphaspot");
  ASSERT_TRUE(spot) << spot.error().message;
  EXPECT_TRUE(std::ranges::find(spot->pixels, 60) != spot->pixels.end());
  EXPECT_TRUE(std::ranges::find(spot->pixels, 90) != spot->pixels.end());
}

TEST_F(EffectPictureTest, SaysWhyThereIsNone) {
  EXPECT_THAT(why(made("mix")), HasSubstr("is no effect: it is a mixer"));
  EXPECT_THAT(why(made("frei0r/glowing")), HasSubstr("is not on this node"));
}

}  // namespace
}  // namespace submix::agent
