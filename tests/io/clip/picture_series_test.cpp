// SPDX-License-Identifier: GPL-3.0-or-later
// Clips of numbered pictures: real files of pictures, played by the plugin.
#include "node/io/clip/picture_series.hpp"

#include "common/base/files.hpp"
#include "node/io/clip/clip.hpp"
#include "node/io/clip/media_picture.hpp"
#include "node/io/incoming_media.hpp"
#include "tests/io/numbered_clip.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/plugin_counter.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace submix::io {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Size kSeriesSize{128, 64};

/// Twenty pictures glow_0001.png to glow_0020.png, which show 0 to 19. The show makes 25 frames a
/// second, as the series has.
class SeriesTest : public ::testing::Test {
 protected:
  SeriesTest() { write("glow_%04d.png", "png", 20); }

  void write(const std::string& pattern, const std::string& codec, int pictures,
             int first_number = 0) {
    testing::write_numbered_clip(
        folder_ / pattern, {.codec = codec, .pictures = pictures, .first_number = first_number});
  }
  Result<std::unique_ptr<plugin::Plugin>> try_open(show::Parameters parameters) {
    return make_clip(rig_.setup(clip_description(), std::move(parameters)), {folder_.path(), {}});
  }
  std::unique_ptr<plugin::Plugin> open(show::Parameters parameters) {
    auto made = try_open(std::move(parameters));
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return made ? *std::move(made) : nullptr;
  }
  std::unique_ptr<plugin::Plugin> open_glow(show::Parameters more = {}) {
    more["file"] = std::string("glow_%04d.png");
    return open(std::move(more));
  }
  std::string refusal(const std::string& file) {
    const auto made = try_open({{"file", file}});
    return made ? "made" : made.error().message;
  }
  std::vector<int> numbers(plugin::Plugin& clip, const std::vector<std::uint64_t>& indices) {
    std::vector<int> shown;
    for (const auto index : indices)
      shown.push_back(testing::shown_number(rig_.make(clip, index)));
    return shown;
  }
  [[nodiscard]] fs::path glow(int number) const {
    return folder_ / fmt::format("glow_{:04}.png", number);
  }
  /// As a program leaves it that is ended while it writes.
  void cut(int number) { fs::resize_file(glow(number), 60); }

  const testing::TemporaryFolder folder_;
  testing::PluginRig rig_{kSeriesSize, {25, 1}};
};

TEST_F(SeriesTest, PlaysItsPicturesInOrderAndLoops) {
  const auto clip = open_glow();
  for (std::uint64_t i = 0; i < 50; ++i)
    ASSERT_EQ(numbers(*clip, {i}), std::vector<int>{static_cast<int>(i % 20)}) << i;
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
  EXPECT_EQ(testing::counter(*clip, "end_ms"), 800U);
}

TEST_F(SeriesTest, JumpsToAnyPicture) {
  const auto clip = open_glow();
  EXPECT_THAT(numbers(*clip, {19, 3, 4, 12, 11, 0, 5'000'007}),
              ElementsAre(19, 3, 4, 12, 11, 0, 7));
}

TEST_F(SeriesTest, PlaysBackwards) {
  const auto clip = open_glow({{"speed", -1.0}});
  EXPECT_THAT(numbers(*clip, {0, 1, 2, 3, 20, 21}), ElementsAre(0, 19, 18, 17, 0, 19));
}

TEST_F(SeriesTest, PlaysForthAndBackWhenItsSpeedChangesItsSign) {
  const auto clip = open_glow();
  EXPECT_THAT(numbers(*clip, {0, 1, 2, 3}), ElementsAre(0, 1, 2, 3));
  clip->set("speed", -1.0);
  EXPECT_THAT(numbers(*clip, {4, 5, 6}), ElementsAre(4, 3, 2));
}

TEST_F(SeriesTest, PlaysBetweenItsPoints) {
  const auto clip = open_glow({{"in", 0.2}, {"out", 0.32}});
  EXPECT_THAT(numbers(*clip, {0, 1, 2, 3}), ElementsAre(5, 6, 7, 5));
}

TEST_F(SeriesTest, SkipsPicturesOfAFastClip) {
  const auto clip = open_glow({{"speed", 8.0}});
  EXPECT_THAT(numbers(*clip, {0, 1, 2, 3}), ElementsAre(0, 8, 16, 4));
}

TEST_F(SeriesTest, PlaysAtItsRateAndInWholePictures) {
  const auto clip = open_glow({{"series_rate", 12.5}});
  EXPECT_THAT(numbers(*clip, {0, 1, 2, 3, 4, 39, 40}), ElementsAre(0, 0, 1, 1, 2, 19, 0));
  EXPECT_EQ(testing::counter(*clip, "end_ms"), 1600U);
}

TEST_F(SeriesTest, TakesAnotherRateWhileItPlays) {
  const auto clip = open_glow();
  EXPECT_THAT(numbers(*clip, {4}), ElementsAre(4));
  clip->set("series_rate", 12.5);
  EXPECT_THAT(numbers(*clip, {5, 6, 39}), ElementsAre(2, 3, 19));
}

TEST_F(SeriesTest, TakesAnotherRateForTheClipsThatWait) {
  testing::write_numbered_clip(folder_ / "a.mp4", {.rate = {25, 1}});
  const auto clip = open({{"file", "a.mp4"}, {"bank", "glow_%04d.png"}});
  EXPECT_THAT(numbers(*clip, {0, 1}), ElementsAre(0, 1));
  clip->set("series_rate", 12.5);
  EXPECT_THAT(numbers(*clip, {2}), ElementsAre(2));
  clip->set("clip", 2.0);
  EXPECT_THAT(numbers(*clip, {3, 4, 5}), ElementsAre(0, 0, 1));
}

TEST_F(SeriesTest, KeepsTheTransparencyOfItsPictures) {
  testing::write_numbered_clip(folder_ / "half_%d.png",
                               {.codec = "png", .is_half_transparent = true});
  const auto clip = open({{"file", "half_%d.png"}});
  const auto rgba = rig_.make(*clip, 3).rgba();
  EXPECT_EQ(rgba[3], 255);
  EXPECT_EQ(rgba[(kSeriesSize.width - 1) * 4 + 3], 0);
}

/// Their readers find the kind of picture in different ways: Targa by the name alone.
class SeriesKinds : public SeriesTest,
                    public ::testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(SeriesKinds, Play) {
  const auto [pattern, codec] = GetParam();
  write(pattern, codec, 12);
  const auto clip = open({{"file", pattern}});
  EXPECT_THAT(numbers(*clip, {0, 1, 11, 12, 5}), ElementsAre(0, 1, 11, 0, 5));
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    All, SeriesKinds,
    ::testing::Values(std::pair{"a%d.jpg", "mjpeg"}, std::pair{"a_%03d.tif", "tiff"},
                      std::pair{"a_%03d.tga", "targa"}, std::pair{"%d.bmp", "bmp"},
                      std::pair{"a_%03d.exr", "exr"}, std::pair{"a_%03d.dpx", "dpx"}),
    [](const auto& test) { return std::string(test.param.second); });

TEST_F(SeriesTest, BeginsWithItsSmallestNumber) {
  for (int number = 1; number <= 7; ++number)
    fs::remove(glow(number));
  const auto clip = open_glow();
  EXPECT_THAT(numbers(*clip, {0, 12, 13}), ElementsAre(7, 19, 7));
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
}

TEST_F(SeriesTest, EndsBeforeAMissingPictureAndSaysWhichOne) {
  fs::remove(glow(6));
  fs::remove(glow(7));
  const auto clip = open_glow();
  EXPECT_THAT(numbers(*clip, {0, 4, 5, 6}), ElementsAre(0, 4, 0, 1));
  EXPECT_THAT(
      rig_.events.lines(),
      ElementsAre(AllOf(HasSubstr("left.clip: clip "), HasSubstr("glow_%04d.png: plays "),
                        HasSubstr("the pictures 1 to 5, since 6 is missing before 8; add"))))
      << "once";
}

TEST_F(SeriesTest, HoldsTheGoodPictureBeforeABrokenOneAndNamesIt) {
  cut(9);
  const auto clip = open_glow();
  EXPECT_THAT(numbers(*clip, {6, 7, 8, 9, 8, 6}), ElementsAre(6, 7, 7, 9, 7, 6));
  EXPECT_THAT(rig_.events.lines(),
              ElementsAre(HasSubstr("glow_%04d.png: glow_0009.png cannot be read or decoded; the "
                                    "last good picture is held there")));
}

TEST_F(SeriesTest, HoldsTheGoodPictureWhenItJumpsOntoABrokenOne) {
  cut(15);
  const auto clip = open_glow({{"speed", -1.0}});
  EXPECT_THAT(numbers(*clip, {0, 5, 6, 7}), ElementsAre(0, 15, 13, 13));
}

TEST_F(SeriesTest, HoldsTheGoodPictureBeforeOneThatIsAnEmptyFileOrALink) {
  fs::resize_file(glow(3), 0);
  fs::remove(glow(5));
  fs::create_symlink(glow(1), glow(5));
  const auto clip = open_glow();
  EXPECT_THAT(numbers(*clip, {1, 2, 3, 4, 5}), ElementsAre(1, 1, 3, 3, 5));
}

TEST_F(SeriesTest, KeepsItsLengthWhenItsLastPicturesAreBroken) {
  for (int number = 10; number <= 20; ++number)
    cut(number);
  const auto clip = open_glow();
  EXPECT_THAT(numbers(*clip, {8, 9, 19, 20, 21}), ElementsAre(8, 8, 8, 0, 1));
  EXPECT_EQ(testing::counter(*clip, "end_ms"), 800U);
  EXPECT_THAT(rig_.events.lines(), ElementsAre(HasSubstr("glow_0010.png cannot be read")));
}

TEST_F(SeriesTest, ShowsTheFirstGoodPictureInPlaceOfABrokenFirstOne) {
  fs::resize_file(glow(1), fs::file_size(glow(1)) / 2);
  const auto clip = open_glow();
  EXPECT_THAT(numbers(*clip, {1, 2, 19, 21}), ElementsAre(1, 2, 19, 1));
}

TEST_F(SeriesTest, PlaysOnFromMemoryOrHoldsWhenItsFilesAreRemoved) {
  const auto clip = open_glow();
  EXPECT_THAT(numbers(*clip, {0, 19}), ElementsAre(0, 19));
  for (int number = 1; number <= 20; ++number)
    fs::remove(glow(number));
  EXPECT_NE(numbers(*clip, {25})[0], -1);
}

TEST_F(SeriesTest, TakesPicturesOfOtherSizesAndFormats) {
  testing::write_numbered_clip(folder_ / "other_%d.png",
                               {.codec = "png", .size = {64, 32}, .is_half_transparent = true});
  fs::rename(folder_ / "other_5.png", glow(8));  // shows 4, in its left half
  const auto clip = open_glow();
  EXPECT_THAT(numbers(*clip, {6, 7, 8}), ElementsAre(6, 4, 8));
  EXPECT_EQ(rig_.make(*clip, 7).rgba()[(kSeriesSize.width - 1) * 4 + 3], 0);
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
}

TEST_F(SeriesTest, TriesThePlainNameFirst) {
  testing::write_numbered_clip(folder_ / "x.mp4", {.first_number = 100});
  fs::rename(folder_ / "x.mp4", folder_ / "glow_%04d.png");
  EXPECT_THAT(numbers(*open_glow(), {0}), ElementsAre(100));
  testing::write_numbered_clip(folder_ / "100%.mp4", {.first_number = 50});
  EXPECT_THAT(numbers(*open({{"file", "100%.mp4"}}), {0}), ElementsAre(50));
}

TEST_F(SeriesTest, DoesNotTakeThePlaceOfAFileThatCannotBeRead) {
  std::ofstream(folder_ / "glow_%04d.png").close();
  EXPECT_THAT(refusal("glow_%04d.png"), HasSubstr("glow_%04d.png: is empty (0 bytes)"));
}

TEST_F(SeriesTest, LiesInAFolderOfTheMediaFolder) {
  fs::create_directories(folder_ / "loops/red");
  write("loops/red/a%d.jpg", "mjpeg", 3);
  EXPECT_THAT(numbers(*open({{"file", "loops/red/a%d.jpg"}}), {0, 1, 2, 3}),
              ElementsAre(0, 1, 2, 0));
}

TEST_F(SeriesTest, IsRefusedWithItsReason) {
  fs::create_directories(folder_ / "films");
  testing::write_numbered_clip(folder_ / "films/1.mp4", {});
  std::ofstream(folder_ / "films/1.svg") << "<svg xmlns='http://www.w3.org/2000/svg' width='9' "
                                            "height='9'/>";
  std::ofstream(folder_ / "films/1.png") << "no picture";
  EXPECT_THAT(refusal("gone_%04d.png"),
              HasSubstr("gone_%04d.png: there is no such file, and no numbered picture such as "
                        "gone_0001.png in " +
                        folder_.path().string()));
  EXPECT_THAT(refusal("gone/%d.png"), HasSubstr("gone/%d.png: the folder of this series of "));
  EXPECT_THAT(refusal("films/%d.mp4"), HasSubstr("films/1.mp4: is a film or a drawing (mov"));
  EXPECT_THAT(refusal("films/%d.svg"), HasSubstr("films/1.svg: is a film or a drawing (svg_pipe"));
  EXPECT_THAT(refusal("films/%d.png"), HasSubstr("films/1.png: FFmpeg cannot open it"));
  EXPECT_THAT(refusal("glow_%s.png"), HasSubstr("glow_%s.png: there is no such file"));
}

TEST_F(SeriesTest, DoesNotLeadOutOfTheMediaFolder) {
  fs::create_directories(folder_ / "inside");
  fs::create_directory_symlink(folder_.path(), folder_ / "inside/door");
  const MediaFolders folders{folder_ / "inside", {}};
  const auto absolute = (folder_ / "glow_%04d.png").string();
  for (const auto& name : {std::string("../glow_%04d.png"), std::string("door/glow_%04d.png"),
                           std::string("a/../../glow_%04d.png"), absolute}) {
    const auto opened = open_clip(folders, name);
    ASSERT_FALSE(opened) << name;
    EXPECT_FALSE(state_of_media(folders, name)) << name;
  }
  EXPECT_THAT(why(open_clip(folders, "door/glow_%04d.png")),
              HasSubstr("leads out of this node's folder"));
  EXPECT_TRUE(open_clip({folder_ / "inside", {}, true}, absolute));
}

TEST_F(SeriesTest, HasAStateThatItsPicturesChange) {
  const MediaFolders folders{folder_.path(), {}};
  EXPECT_FALSE(state_of_media(folders, "gone_%04d.png"));
  const auto before = state_of_media(folders, "glow_%04d.png");
  ASSERT_TRUE(before);
  EXPECT_EQ(state_of_media(folders, "glow_%04d.png"), before);
  cut(1);
  const auto cut_state = state_of_media(folders, "glow_%04d.png");
  EXPECT_NE(cut_state, before) << "the first picture was written over";
  fs::remove(glow(1));
  EXPECT_NE(state_of_media(folders, "glow_%04d.png"), cut_state) << "another one is the first";
}

TEST_F(SeriesTest, IsNotCopiedToAnotherComputer) {
  const MediaFolders folders{folder_.path(), {}};
  const auto refused = open_copied(folders, "glow_%04d.png");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("glow_%04d.png: a series of pictures is not copied"),
                    HasSubstr("copy its folder by hand")));
  EXPECT_TRUE(open_copied(folders, "glow_0001.png"));
  EXPECT_FALSE(open_copied(folders, ".hidden.png"));
}

TEST_F(SeriesTest, IsSeenInTheMediaListAsAClip) {
  auto file = open_clip({folder_.path(), {}}, "glow_%04d.png");
  ASSERT_TRUE(file);
  const auto seen = read_media_picture(*std::move(file), kSeriesSize, 0.5, SourceOpener());
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_DOUBLE_EQ(seen->seconds, 0.8);
  EXPECT_DOUBLE_EQ(seen->rate, 25);
  EXPECT_EQ(seen->codec, "png");
  EXPECT_EQ(seen->own_size, kSeriesSize);
}

}  // namespace
}  // namespace submix::io
