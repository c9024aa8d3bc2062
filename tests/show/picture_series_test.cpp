// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/picture_series.hpp"

#include <gtest/gtest.h>

namespace submix::show {
namespace {

const SeriesName kGlow{"glow_", 4, ".png"};

TEST(SeriesName, IsFFmpegsPatternInTheLastPartOfAName) {
  EXPECT_EQ(series_name("glow_%04d.png"), kGlow);
  EXPECT_EQ(series_name("loops/red/glow_%4d.png"), kGlow);
  EXPECT_EQ(series_name("%d.jpg"), (SeriesName{"", 1, ".jpg"}));
  EXPECT_EQ(series_name("100%%_%03d.tif"), (SeriesName{"100%_", 3, ".tif"}));
}

TEST(SeriesName, IsNoneOfANameThatMeansOneFile) {
  for (const auto* name :
       {"", "glow.png", "100%.mp4", "100%", "100%%.mp4", "a%d_%d.png", "%d/glow.png", "%s.png",
        "%04.png", "%4", "%010d.png", "%99999999999999999999d.png", "%5%.png"})
    EXPECT_FALSE(series_name(name)) << name;
}

TEST(SeriesName, IsThatOfItsOwnPattern) {
  for (const auto& series : {kGlow, SeriesName{"100%_", 1, ""}, SeriesName{"", 9, "%d"}})
    EXPECT_EQ(series_name(pattern_of(series)), series) << pattern_of(series);
}

TEST(SeriesName, NamesItsPicturesAndKnowsTheirNumbers) {
  for (const std::uint32_t number : {0U, 7U, 9999U, 10'000U, 999'999'999U})
    EXPECT_EQ(picture_number(kGlow, picture_name(kGlow, number)), number);
  EXPECT_EQ(picture_name(kGlow, 7), "glow_0007.png");
}

TEST(SeriesName, DoesNotTakeOtherFilesForItsPictures) {
  for (const auto* name : {"glow_007.png", "glow_00007.png", "glow_0007.jpg", "glow_.png",
                           "glow_x007.png", "_0007.png", "glow_1000000000.png", "glow_-007.png"})
    EXPECT_FALSE(picture_number(kGlow, name)) << name;
}

TEST(SeriesNumbers, BeginWithTheSmallestAndEndAtTheGap) {
  const SeriesName series{"", 1, ".png"};
  EXPECT_EQ(series_numbers(series, {"11.png", "9.png", "x.png", "10.png", "010.png"}),
            (SeriesNumbers{9, 11, 0}));
  EXPECT_EQ(series_numbers(series, {"3.png", "2.png", "7.png", "5.png"}), (SeriesNumbers{2, 3, 5}));
  EXPECT_FALSE(series_numbers(series, {"x.png"}));
  EXPECT_EQ((SeriesNumbers{9, 11, 0}).count(), 3U);
}

TEST(SeriesWith, FindsTheLastNumberBeforeTheEnding) {
  EXPECT_EQ(series_with("glow_0007.png"), kGlow);
  EXPECT_EQ(series_with("shot2_12.jp2"), (SeriesName{"shot2_", 1, ".jp2"}));
  EXPECT_EQ(series_with("12"), (SeriesName{"", 1, ""}));
  EXPECT_EQ(series_with("0.png"), (SeriesName{"", 1, ".png"}));
  EXPECT_FALSE(series_with("clip.mp4"));
  EXPECT_FALSE(series_with("1234567890.png"));
}

}  // namespace
}  // namespace submix::show
