// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/io/clip/clip_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <thread>
#include <utility>

namespace submix::io {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Has a black picture for each moment, in time or late.
class PunctualSource final : public PictureSource {
 public:
  explicit PunctualSource(const bool& is_late) : PictureSource("a file"), is_late_(is_late) {
    report_.length = {10, 0.04};
    report_.serial = 1;
  }

  Result<bool> is_ready(SteadyTime) override { return true; }
  PaintedPicture paint(const PictureRequest&, media::WritableFrame output,
                       const std::stop_token&) override {
    std::ranges::fill(output.rgba(), std::uint8_t{0});
    return {PaintedPicture::Outcome::painted, std::move(output), is_late_};
  }
  [[nodiscard]] const SourceReport& report() const override { return report_; }

 private:
  const bool& is_late_;
  SourceReport report_;
};

/// Containers that state timestamps exactly, in milliseconds, by index only, and not at all.
class ClipContainers : public ClipTest,
                       public ::testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(ClipContainers, ShowsEachPictureOnceAndLoopsExactly) {
  const auto [file, codec] = GetParam();
  testing::write_numbered_clip(folder_ / file, {.codec = codec, .pictures = 23});
  const auto clip = open({{"file", file}});
  for (std::uint64_t i = 0; i < 100; ++i)
    ASSERT_EQ(number(*clip, i), static_cast<int>(i % 23)) << i;
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
}

TEST_P(ClipContainers, ShowsTheSameWhateverWayItCame) {
  const auto [file, codec] = GetParam();
  testing::write_numbered_clip(folder_ / file,
                               {.codec = codec, .pictures = 50, .pictures_per_key = 12});
  const auto clip = open({{"file", file}});
  (void)number(*clip, 49);
  (void)number(*clip, 50);  // the end is known from here on, header or not
  EXPECT_THAT(numbers(*clip, {7, 6, 30, 29, 3, 49, 0, 13, 12, 11, 5'000'000'007}),
              ElementsAre(7, 6, 30, 29, 3, 49, 0, 13, 12, 11, 7));
}

INSTANTIATE_TEST_SUITE_P(All, ClipContainers,
                         ::testing::Values(std::pair{"a.mp4", "mpeg4"}, std::pair{"a.mkv", "ffv1"},
                                           std::pair{"a.avi", "mjpeg"},
                                           std::pair{"a.ts", "mpeg2video"},
                                           std::pair{"a.m4v", "mpeg4"}),
                         [](const auto& test) { return std::string(test.param.first + 2); });

TEST_F(ClipTest, HoldsTheLastPictureWithoutALoop) {
  testing::write_numbered_clip(folder_ / "a.mp4", {});
  const auto clip = open({{"file", "a.mp4"}, {"loop", false}});
  EXPECT_THAT(numbers(*clip, {8, 9, 10, 11, 3}), ElementsAre(8, 9, 9, 9, 3));
}

TEST_F(ClipTest, PlaysBetweenItsPoints) {
  testing::write_numbered_clip(folder_ / "a.mp4", {.pictures = 60});
  const auto clip = open({{"file", "a.mp4"}, {"in", 1.0}, {"out", 1.1}});
  EXPECT_THAT(numbers(*clip, {0, 1, 2, 3, 4}), ElementsAre(30, 31, 32, 30, 31));
}

TEST_F(ClipTest, FollowsTheSpeed) {
  testing::write_numbered_clip(folder_ / "a.mp4", {.pictures = 60});
  const auto clip = open({{"file", "a.mp4"}, {"speed", 2.0}});
  EXPECT_THAT(numbers(*clip, {0, 1, 2, 3}), ElementsAre(0, 2, 4, 6));
  clip->set("speed", 0.0);
  EXPECT_THAT(numbers(*clip, {4, 5, 6}), ElementsAre(8, 8, 8));
  clip->set("speed", 0.5);
  EXPECT_THAT(numbers(*clip, {7, 8, 9, 10}), ElementsAre(8, 8, 9, 9));
}

TEST_F(ClipTest, PlaysBackwards) {
  testing::write_numbered_clip(folder_ / "a.mp4", {.pictures = 60, .pictures_per_key = 60});
  const auto clip = open({{"file", "a.mp4"}, {"speed", -1.0}});
  EXPECT_THAT(numbers(*clip, {0, 1, 2, 59, 60, 61}), ElementsAre(0, 59, 58, 1, 0, 59));
  clip->set("speed", -16.0);
  EXPECT_THAT(numbers(*clip, {62, 63, 64}), ElementsAre(58, 42, 26));
}

TEST_F(ClipTest, ShowsEachPictureOfAFarLoopWhereNoClockPacesIt) {
  const auto clip = open_far_loop();
  for (std::uint64_t i = 0; i < 60; ++i)
    ASSERT_EQ(number(*clip, i), 450 + static_cast<int>(i % 15)) << i;
  EXPECT_EQ(held(*clip), 0U);
}

TEST_F(ClipTest, KeepsTheLoopOfAPacedPatch) {
  rig_.is_paced = true;
  const auto clip = open_far_loop();
  std::uint64_t index = 0;
  const auto late_in_a_round = [&] {
    const auto before = held(*clip);
    for (int i = 0; i < 15; ++i)
      (void)number(*clip, index++);
    return held(*clip) - before;
  };
  while (late_in_a_round() > 0)
    std::this_thread::yield();
  for (int i = 0; i < 60; ++i)
    ASSERT_EQ(number(*clip, index + static_cast<std::uint64_t>(i)), 450 + i % 15);
}

TEST_F(ClipTest, HoldsThePictureBeforeAJumpOfAPacedPatchUntilTheNextIsDecoded) {
  testing::write_numbered_clip(folder_ / "a.mp4", {.pictures = 500, .pictures_per_key = 600});
  rig_.is_paced = true;
  const auto clip = open({{"file", "a.mp4"}, {"speed", 0.0}});
  EXPECT_EQ(number(*clip, 0), 0);
  clip->set("in", 16.0);
  std::vector<int> shown;
  for (std::uint64_t i = 1; shown.empty() || shown.back() != 480; ++i)
    shown.push_back(number(*clip, i));
  EXPECT_THAT(shown, ::testing::Each(::testing::AnyOf(0, 480)));
  EXPECT_EQ(held(*clip), shown.size() - 1);
}

TEST_F(ClipTest, SaysThatDecodingCannotKeepItsSpeedAndTakesItBack) {
  testing::write_numbered_clip(folder_ / "a.mp4", {});
  bool is_late = true;
  const SourceOpener opener([&](const OpenFile&, const SourceSetup&) {
    return std::make_unique<PunctualSource>(is_late);
  });
  rig_.is_paced = true;
  const auto clip = make_clip(rig_.setup(clip_description(), {{"file", "a.mp4"}, {"speed", 16.0}}),
                              {folder_.path(), {}}, opener);
  ASSERT_TRUE(clip);
  const auto play_two_seconds = [&](std::uint64_t first) {
    for (std::uint64_t i = 0; i < 60; ++i)
      ASSERT_TRUE(rig_.make(**clip, first + i));
  };
  play_two_seconds(0);
  EXPECT_THAT((*clip)->trouble(), HasSubstr("clip a file: decoding cannot keep speed 16"));
  EXPECT_EQ(held(**clip), 60U);
  is_late = false;
  play_two_seconds(60);
  EXPECT_EQ((*clip)->trouble(), "");
  EXPECT_EQ(held(**clip), 60U);
}

TEST_F(ClipTest, ConvertsBetweenFrameRates) {
  testing::write_numbered_clip(folder_ / "a.mp4", {.rate = {15, 1}, .pictures = 20});
  const auto clip = open({{"file", "a.mp4"}});
  EXPECT_THAT(numbers(*clip, {0, 1, 2, 3, 38, 39, 40}), ElementsAre(0, 0, 1, 1, 19, 19, 0));
}

TEST_F(ClipTest, IsLetterboxedByItsDisplayAspect) {
  testing::write_numbered_clip(folder_ / "a.mkv",
                               {.codec = "ffv1", .size = {64, 64}, .pictures = 2});
  const auto clip = open({{"file", "a.mkv"}});
  (void)rig_.make(*clip, 0);
  const auto frame = rig_.make(*clip, 1);  // 1: the leftmost block is white
  const auto pixel = [&](std::size_t x) { return int{frame.rgba()[(32 * 128 + x) * 4]}; };
  EXPECT_EQ(pixel(31), 0);
  EXPECT_GT(pixel(33), 250);
  EXPECT_EQ(pixel(127), 0);
  const auto alpha = [&](std::size_t x) { return int{frame.rgba()[(32 * 128 + x) * 4 + 3]}; };
  EXPECT_EQ(alpha(31), 0) << "a layer below shows through the bars";
  EXPECT_EQ(alpha(33), 255);
  EXPECT_EQ(alpha(127), 0);
  clip->set("fit", std::string("stretch"));
  EXPECT_EQ(testing::shown_number(rig_.make(*clip, 1)), 1);
}

// Before, a phone's clip lay on its side.
TEST_F(ClipTest, IsTurnedAsItsFileSays) {
  testing::write_numbered_clip(folder_ / "a.mp4", {.pictures = 2, .is_turned = true});
  const auto clip = open({{"file", "a.mp4"}, {"fit", std::string("stretch")}});
  (void)rig_.make(*clip, 0);
  const auto frame =
      rig_.make(*clip, 1);  // 1: the leftmost block is white, the uppermost when turned
  const auto value = [&](std::size_t x, std::size_t y) { return frame.rgba()[(y * 128 + x) * 4]; };
  EXPECT_GT(value(5, 1), 200);
  EXPECT_GT(value(122, 1), 200);
  EXPECT_LT(value(5, 20), 50);
  EXPECT_LT(value(122, 60), 50);
}

TEST_F(ClipTest, KeepsItsAlpha) {
  for (const auto& [file, codec] : {std::pair{"a.webm", "libvpx-vp9"}, {"a.mov", "prores_ks"}}) {
    testing::write_numbered_clip(folder_ / file,
                                 {.codec = codec, .pictures = 3, .is_half_transparent = true});
    const auto clip = open({{"file", file}});
    const auto frame = rig_.make(*clip, 1);
    const auto alpha = [&](std::size_t x) { return int{frame.rgba()[(32 * 128 + x) * 4 + 3]}; };
    EXPECT_GT(alpha(20), 250) << file;
    EXPECT_LT(alpha(100), 5) << file;
    EXPECT_EQ(number(*clip, 2), 2) << file;
  }
}

TEST_F(ClipTest, HonoursPixelsThatAreNotSquare) {
  testing::write_numbered_clip(
      folder_ / "a.mkv", {.codec = "ffv1", .size = {64, 64}, .pictures = 2, .pixel_aspect = 2});
  const auto clip = open({{"file", "a.mkv"}});
  EXPECT_THAT(numbers(*clip, {0, 1}), ElementsAre(0, 1));
}

TEST_F(ClipTest, ChangesItsFileWhileRunning) {
  testing::write_numbered_clip(folder_ / "a.mp4", {.pictures = 5});
  testing::write_numbered_clip(folder_ / "b.mp4", {.pictures = 7});
  const auto clip = open({{"file", "a.mp4"}});
  EXPECT_EQ(number(*clip, 6), 1);
  clip->set("file", std::string("b.mp4"));
  EXPECT_EQ(number(*clip, 6), 6);
  clip->set("file", std::string("missing.mp4"));
  EXPECT_EQ(number(*clip, 8), 1);
  EXPECT_THAT(rig_.events.lines(),
              ElementsAre(HasSubstr("missing.mp4: there is no such file; the clip before")));
}

TEST_F(ClipTest, DoesWithoutItsFileWhileItIsBypassedAndTakesItAfterwards) {
  auto setup = rig_.setup(clip_description(), {{"file", "late.mp4"}});
  setup.is_bypassed = true;
  const auto clip = make_clip(setup, {folder_.path(), {}});
  ASSERT_TRUE(clip) << clip.error().message;
  EXPECT_THAT((*clip)->trouble(), HasSubstr("there is no such file"));
  (*clip)->try_again();
  EXPECT_THAT(rig_.events.lines(), ElementsAre(HasSubstr("it stays black")));
  EXPECT_EQ(rig_.make(**clip, 0).rgba()[3], 255) << "black, not clear";

  testing::write_numbered_clip(folder_ / "late.mp4", {});
  (*clip)->try_again();
  EXPECT_EQ(number(**clip, 1), 1);
  EXPECT_THAT((*clip)->trouble(), IsEmpty());
}

// Before, the reader sought this key picture for ever.
TEST_F(ClipTest, JumpsOntoABrokenKeyPictureThatTheFileLists) {
  testing::write_numbered_clip(folder_ / "a.avi",
                               {.codec = "png", .pictures = 40, .pictures_per_key = 1});
  overwrite_picture("a.avi", 25);
  const auto clip = open({{"file", "a.avi"}, {"speed", -1.0}});
  const auto shown = numbers(*clip, {0, 14, 15, 16, 17});
  EXPECT_THAT(shown, ElementsAre(0, AnyOf(26, 24), 24, 24, 23)) << "25 is broken: a neighbour";
}

TEST_F(ClipTest, NamesWhatItCannotOpen) {
  std::ofstream(folder_ / "empty.mp4").close();
  std::ofstream(folder_ / "garbage.mp4") << std::string(100'000, 'x');
  EXPECT_THAT(refusal({{"file", "missing.mp4"}}), HasSubstr("missing.mp4: there is no such file"));
  EXPECT_THAT(refusal({{"file", "missing.mp4"}}), HasSubstr("left.clip"));
  EXPECT_THAT(refusal({{"file", "."}}), HasSubstr("is a folder"));
  EXPECT_THAT(refusal({{"file", "empty.mp4"}}), HasSubstr("empty.mp4: is empty (0 bytes)"));
  EXPECT_THAT(refusal({{"file", "garbage.mp4"}}), HasSubstr("garbage.mp4: FFmpeg"));
  EXPECT_THAT(refusal({{"file", ""}}), HasSubstr("set its parameter file"));
  ASSERT_EQ(::mkfifo((folder_ / "pipe.mp4").c_str(), 0600), 0);
  EXPECT_THAT(
      refusal({{"file", "pipe.mp4"}}),
      HasSubstr(
          "is not a plain file; the pictures of a program come into the show by: submix pipe in"));
}

TEST_F(ClipTest, IsTheCoverOfASoundWhichStandsStill) {
  run_ffmpeg(
      "-f lavfi -i anullsrc=d=2 -f lavfi -i color=red:s=64x64:d=0.04 -map 0 -map 1 -frames:v 1 "
      "-c:v mjpeg -disposition:v:0 attached_pic",
      "cover.m4a");
  const auto clip = open({{"file", "cover.m4a"}, {"loop", true}});
  for (std::uint64_t i = 0; i < 100; ++i)
    EXPECT_GT(middle_red(*clip, i), 200) << i;
  EXPECT_THAT(rig_.events.lines(), IsEmpty()) << "its header says how long the sound is";
}

TEST_F(ClipTest, NamesTheRemedyForAnAnimatedWebp) {
  run_ffmpeg("-f lavfi -i testsrc=s=64x64:d=1 -c:v libwebp_anim", "moves.webp");
  EXPECT_THAT(refusal({{"file", "moves.webp"}}),
              HasSubstr("moves.webp: is a WebP that is animated, which FFmpeg does not decode, or "
                        "damaged; save it as GIF, APNG or a video"));
}

TEST_F(ClipTest, RefusesPointsThatLeaveNothing) {
  testing::write_numbered_clip(folder_ / "a.mp4", {.pictures = 30});
  EXPECT_THAT(refusal({{"file", "a.mp4"}, {"in", 5.0}}), HasSubstr("in point 5 s is past the end"));
  EXPECT_THAT(refusal({{"file", "a.mp4"}, {"in", 0.5}, {"out", 0.5}}),
              HasSubstr("is not before the out point"));
  EXPECT_THAT(refusal({{"file", "a.mp4"}, {"out", 5.0}}),
              HasSubstr("out point 5 s is past the end of"));
  EXPECT_THAT(refusal({{"file", "a.mp4"}, {"out", 5.0}}),
              HasSubstr("a.mp4, at 1.00 s; set it lower, or to 0: the clip's end"));
  EXPECT_EQ(refusal({{"file", "a.mp4"}, {"out", 1.2}}), "made") << "rounded";
}

// Before, the clip took these points while it ran, and was refused when the node started again.
TEST_F(ClipTest, RefusesPointsThatLeaveNothingWhileItRunsByTheSameWords) {
  testing::write_numbered_clip(folder_ / "a.mp4", {.pictures = 60});
  const auto clip = open({{"file", "a.mp4"}, {"in", 1.0}, {"out", 1.1}});
  EXPECT_EQ(number(*clip, 0), 30);
  clip->set("in", 1.5);
  EXPECT_THAT(numbers(*clip, {1, 2, 3}), ElementsAre(31, 32, 30));
  const auto refused = refusal({{"file", "a.mp4"}, {"in", 1.5}, {"out", 1.1}});
  EXPECT_THAT(clip->trouble(), ::testing::StartsWith(refused));
  EXPECT_THAT(rig_.events.lines(),
              ElementsAre(HasSubstr("in point 1.5 s is not before the out point 1.1 s")));
  clip->set("out", 1.6);
  EXPECT_EQ(number(*clip, 3), 45);
  EXPECT_EQ(clip->trouble(), "");
  clip->set("in", 50.0);
  clip->set("out", 0.0);
  EXPECT_EQ(number(*clip, 3), 45);
  EXPECT_THAT(clip->trouble(), HasSubstr("in point 50 s is past the end of"));
}

TEST_F(ClipTest, TakesBothPointsOfAChangeAtOnce) {
  testing::write_numbered_clip(folder_ / "a.mp4", {.pictures = 60});
  const auto clip = open({{"file", "a.mp4"}, {"in", 0.0}, {"out", 0.1}});
  EXPECT_EQ(number(*clip, 0), 0);
  clip->set("in", 1.0);  // for a moment past the out point
  clip->set("out", 1.1);
  EXPECT_EQ(number(*clip, 0), 30);
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
}

TEST_F(ClipTest, LastsAsManyBeatsAsItIsTold) {
  testing::write_numbered_clip(folder_ / "a.mp4", {.pictures = 60});
  const auto clip = open({{"file", "a.mp4"}, {"beats", 4.0}});
  const auto at_beat = [&](std::uint64_t index, double beats) {
    clip->tell_beat({beats, 4.0 / 30});  // 240 a minute
    return number(*clip, index);
  };
  EXPECT_THAT((std::vector{at_beat(0, 8), at_beat(1, 8 + 4.0 / 30), at_beat(15, 10)}),
              ElementsAre(0, 2, 30));
  clip->set("beats", 0.0);
  EXPECT_EQ(at_beat(16, 10 + 4.0 / 30), 32) << "as it is, and";
  EXPECT_EQ(at_beat(17, 10 + 8.0 / 30), 33) << "by its speed from there";
  EXPECT_EQ(clip->trouble(), "");
}

TEST_F(ClipTest, NamesTheBeatsThatItsSpeedPermits) {
  testing::write_numbered_clip(folder_ / "a.mp4", {.pictures = 60});
  const auto clip = open({{"file", "a.mp4"}, {"beats", 0.25}});
  clip->tell_beat({0, 4.0 / 30});
  EXPECT_EQ(number(*clip, 0), 0);
  EXPECT_THAT(clip->trouble(),
              HasSubstr("a.mp4: what it plays lasts 0.5 beats, not 0.25: its speed would exceed "
                        "16; set beats to 0.5 or more, or play less of it"));
  clip->set("beats", 1.0);
  clip->tell_beat({4.0 / 30, 4.0 / 30});
  EXPECT_EQ(number(*clip, 1), 8);
  EXPECT_EQ(clip->trouble(), "");
}

TEST_F(ClipTest, ShowsTheSameMomentWhenItsPointsMoveAroundIt) {
  testing::write_numbered_clip(folder_ / "a.mp4", {.pictures = 60});
  const auto clip = open({{"file", "a.mp4"}});
  EXPECT_EQ(number(*clip, 25), 25);
  clip->set("in", 23.0 / 30);
  clip->set("out", 27.0 / 30);
  EXPECT_THAT(numbers(*clip, {26, 27, 28}), ElementsAre(26, 23, 24));
}

TEST_F(ClipTest, EndsWhereItIsCutOffAndSaysSoOnce) {
  testing::write_numbered_clip(folder_ / "a.mkv", {.codec = "mjpeg", .pictures = 100});
  cut("a.mkv", 0.5);
  const auto clip = open({{"file", "a.mkv"}});
  std::vector<int> shown;
  for (std::uint64_t i = 0; i < 150; ++i)
    shown.push_back(number(*clip, i));
  EXPECT_THAT(shown, ::testing::Each(::testing::Ge(0)));
  EXPECT_LT(*std::max_element(shown.begin(), shown.end()), 60);
  EXPECT_EQ(std::count(shown.begin(), shown.end(), 3), 3);  // it looped
  EXPECT_THAT(rig_.events.lines(), ::testing::Contains(HasSubstr("a.mkv: cut off at")).Times(1));
}

TEST_F(ClipTest, HoldsTheLastGoodPictureOverDamageAndSaysSoOnce) {
  testing::write_numbered_clip(folder_ / "a.mkv", {.codec = "png", .pictures = 60});
  overwrite_picture("a.mkv", 30);
  const auto clip = open({{"file", "a.mkv"}});
  for (int loop = 0; loop < 3; ++loop) {
    const auto first = static_cast<std::uint64_t>(loop) * 60;
    EXPECT_THAT(numbers(*clip, {first, first + 29, first + 30, first + 32, first + 59}),
                ElementsAre(0, 29, 29, 32, 59));
  }
  EXPECT_THAT(rig_.events.lines(), ElementsAre(HasSubstr("a.mkv: damaged at 0.97 s")));
}

TEST_F(ClipTest, SurvivesEveryTruncation) {
  testing::write_numbered_clip(folder_ / "a.mkv", {.codec = "ffv1", .pictures = 12});
  for (int share = 95; share > 0; share -= 10) {
    cut("a.mkv", share / 100.0);
    const auto made = try_open({{"file", "a.mkv"}});
    if (!made) continue;
    for (std::uint64_t i = 0; i < 40; ++i)
      ASSERT_TRUE(rig_.make(**made, i));
  }
}

TEST_F(ClipTest, PlaysOnWhenTheFileIsDeleted) {
  testing::write_numbered_clip(folder_ / "a.mp4", {});
  const auto clip = open({{"file", "a.mp4"}});
  EXPECT_EQ(number(*clip, 9), 9);
  std::filesystem::remove(folder_ / "a.mp4");
  EXPECT_THAT(numbers(*clip, {10, 11, 25}), ElementsAre(0, 1, 5));
}

TEST_F(ClipTest, StopsWhenAskedTo) {
  testing::write_numbered_clip(folder_ / "a.mp4", {});
  const auto clip = open({{"file", "a.mp4"}});
  std::vector<media::Frame> held;
  for (std::uint64_t i = 0; i < 6; ++i)
    held.push_back(rig_.make(*clip, i));
  rig_.stop.request_stop();
  EXPECT_FALSE(rig_.make(*clip, 6));  // no seat is free, and none will be
}

}  // namespace
}  // namespace submix::io
