// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/strip.hpp"

#include "tests/plugin/bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

namespace submix::plugin {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using Counts = std::map<std::string, std::uint64_t>;

TEST(Pattern, IsAPureFunctionOfTheFrameNumberAtOneSpeedAndMoves) {
  for (const auto* style : {"bars", "gradient", "checkerboard", "box"}) {
    Bench bench;
    const auto first = bench.make("pattern", {{"style", std::string(style)}});
    const auto second = bench.make("pattern", {{"style", std::string(style)}});
    const auto before = bytes_of(bench.run(**first, 6));
    const auto picture = bytes_of(bench.run(**first, 7));
    EXPECT_NE(picture, before) << style;
    EXPECT_EQ(bytes_of(bench.run(**second, 7)), picture) << style;
  }
}

TEST(Pattern, StandsStillWithoutSpeedAndRunsBackwards) {
  Bench bench;
  const auto still = bench.make("pattern", {{"speed", 0.0}});
  EXPECT_EQ(bytes_of(bench.run(**still, 1)), bytes_of(bench.run(**still, 100)));
  const auto back = bench.make("pattern", {{"speed", -3.0}});
  EXPECT_NE(bytes_of(bench.run(**back, 1)), bytes_of(bench.run(**back, 100)));
}

TEST(Pattern, GoesOnFromWhereItIsAtAnotherSpeed) {
  Bench bench;
  const auto pattern = bench.make("pattern", {{"speed", 4.0}});
  const auto at_40 = bytes_of(bench.run(**pattern, 10));
  (*pattern)->set("speed", -2.0);
  EXPECT_EQ(bytes_of(bench.run(**pattern, 10)), at_40);
  EXPECT_NE(bytes_of(bench.run(**pattern, 15)), at_40);
  (*pattern)->set("speed", 4.0);
  EXPECT_NE(bytes_of(bench.run(**pattern, 15)), at_40);
  const auto slow = bench.make("pattern", {{"speed", 1.0}});
  EXPECT_EQ(bytes_of(bench.run(**pattern, 17)), bytes_of(bench.run(**slow, 38)));  // 40 - 10 + 8
}

TEST(Null, PassesItsInputOn) {
  Bench bench;
  const auto null = bench.make("null");
  const auto frame = bench.noise(1);
  EXPECT_EQ(bench.run(**null, 0, {frame}).rgba().data(), frame.rgba().data());
}

class MixTest : public ::testing::Test {
 protected:
  /// The first pixel of the mix of black, dark gray and bright gray.
  std::vector<int> mixed(show::Parameters parameters) {
    const auto mix = bench_.make("mix", std::move(parameters)).value();
    const auto frame = bench_.run(*mix, 0, inputs_);
    const auto pixel = frame.rgba().first(4);
    EXPECT_TRUE(std::ranges::equal(pixel, frame.rgba().last(4)));
    return {pixel.begin(), pixel.end()};
  }

  Bench bench_;
  std::vector<media::Frame> inputs_{bench_.filled(0, 0, 0), bench_.filled(100, 10, 0),
                                    bench_.filled(0, 20, 30), bench_.filled(200, 0, 0)};
};

TEST_F(MixTest, AddsAnyNumberOfPicturesUpToWhite) {
  EXPECT_THAT(mixed({}), ElementsAre(255, 30, 30, 255));
  inputs_.pop_back();
  EXPECT_THAT(mixed({}), ElementsAre(100, 30, 30, 255));
}

TEST_F(MixTest, TakesAsMuchOfEachAsItsLevelSays) {
  EXPECT_THAT(mixed({{"level2", 0.5}, {"level4", 0.25}, {"level3", 0.0}}),
              ElementsAre(100, 5, 0, 255));
}

TEST_F(MixTest, KeepsTheLighter) {
  EXPECT_THAT(mixed({{"mode", std::string("lighten")}}), ElementsAre(200, 20, 30, 255));
}

TEST_F(MixTest, LaysEachOverThoseBeforeIt) {
  EXPECT_THAT(mixed({{"mode", std::string("over")}}), ElementsAre(200, 0, 0, 255));
  EXPECT_THAT(mixed({{"mode", std::string("over")}, {"level4", 0.5}}),
              ElementsAre(100, 10, 15, 255));
  inputs_.back() = bench_.filled(200, 0, 0, 128);
  EXPECT_THAT(mixed({{"mode", std::string("over")}}), ElementsAre(100, 9, 14, 255));
}

TEST_F(MixTest, EachInputMayHaveABlendOfItsOwn) {
  inputs_ = {bench_.filled(200, 100, 40), bench_.filled(100, 10, 255)};
  const auto blended = [&](const char* blend, double level) {
    return mixed(
        {{"mode", std::string("over")}, {"blend2", std::string(blend)}, {"level2", level}});
  };
  EXPECT_THAT(blended("as mode", 1), ElementsAre(100, 10, 255, 255));
  EXPECT_THAT(blended("add", 1), ElementsAre(255, 110, 255, 255));
  EXPECT_THAT(blended("lighten", 1), ElementsAre(200, 100, 255, 255));
  EXPECT_THAT(blended("darken", 1), ElementsAre(100, 10, 40, 255));
  EXPECT_THAT(blended("darken", 0.5), ElementsAre(150, 55, 40, 255));
  EXPECT_THAT(blended("screen", 1), ElementsAre(222, 107, 255, 255));
  EXPECT_THAT(blended("multiply", 1), ElementsAre(78, 3, 40, 255));
  EXPECT_THAT(blended("multiply", 0), ElementsAre(200, 100, 40, 255));
  EXPECT_THAT(blended("difference", 1), ElementsAre(100, 90, 215, 255));
}

TEST_F(MixTest, TransparentPartsOfALayerChangeNothing) {
  inputs_ = {bench_.filled(200, 100, 40), bench_.filled(0, 0, 0, 0)};
  for (const auto* blend : {"over", "add", "lighten", "darken", "screen", "multiply", "difference"})
    EXPECT_THAT(mixed({{"blend2", std::string(blend)}}), ElementsAre(200, 100, 40, 255)) << blend;
}

TEST_F(MixTest, TheCrossfaderGoesFromOneSideToTheOther) {
  inputs_ = {bench_.filled(200, 0, 0), bench_.filled(0, 100, 0), bench_.filled(0, 0, 40)};
  const auto at = [&](double place, const char* curve = "even") {
    return mixed({{"side1", std::string("A")},
                  {"side2", std::string("B")},
                  {"crossfade", place},
                  {"curve", std::string(curve)}});
  };
  EXPECT_THAT(at(0), ElementsAre(200, 0, 40, 255)) << "the third is on both sides";
  EXPECT_THAT(at(0.25), ElementsAre(150, 25, 40, 255));
  EXPECT_THAT(at(1), ElementsAre(0, 100, 40, 255));
  EXPECT_THAT(at(0.25, "smooth"), ElementsAre(168, 15, 40, 255));
  EXPECT_THAT(at(0.49, "cut"), ElementsAre(200, 0, 40, 255));
  EXPECT_THAT(at(0.5, "cut"), ElementsAre(0, 100, 40, 255));
  EXPECT_THAT(mixed({{"crossfade", 0.5}}), ElementsAre(200, 100, 40, 255)) << "nobody has a side";
}

TEST_F(MixTest, ASideWithoutPicturesIsBlack) {
  inputs_ = {bench_.filled(200, 0, 0), bench_.filled(0, 100, 0)};
  EXPECT_THAT(mixed({{"side1", std::string("A")}, {"side2", std::string("A")}, {"crossfade", 1.0}}),
              ElementsAre(0, 0, 0, 255));
}

TEST_F(MixTest, TheMasterFadesToBlackAndNotToAHole) {
  EXPECT_THAT(mixed({{"master", 0.5}}), ElementsAre(127, 15, 15, 255));
  EXPECT_THAT(mixed({{"master", 0.0}}), ElementsAre(0, 0, 0, 255));
}

TEST(Stamp, NeedsRoomForItsStrip) {
  Bench bench({128, 64});
  const auto stamp = bench.make("stamp");
  ASSERT_FALSE(stamp.has_value());
  EXPECT_EQ(stamp.error().message,
            "plugin \"stamp\": the strip at place 0 needs 224x32 pixels, the picture has 128x64; "
            "take a larger size, or strip = false");
  EXPECT_TRUE(bench.make("stamp", {{"strip", false}}).has_value());
}

TEST(Stamp, DrawsDigitsThatDifferForEachFrameAndText) {
  Bench bench({1280, 720});
  const auto plain = bench.make("stamp", {{"strip", false}});
  const auto named =
      bench.make("stamp", {{"strip", false}, {"text", std::string("left")}, {"show_value", true}});
  const auto black = bench.filled(0, 0, 0);
  const auto picture = bytes_of(bench.run(**plain, 1, {black}));
  EXPECT_NE(picture, bytes_of(bench.run(**plain, 2, {black})));
  EXPECT_NE(picture, bytes_of(bench.run(**named, 1, {black})));
  EXPECT_NE(picture, bytes_of(black));
}

TEST(Stamp, DrawsOnAPictureThatNobodyElseHas) {
  Bench bench;
  const auto stamp = bench.make("stamp");
  auto picture = bench.filled(9, 9, 9);
  const auto* const place = picture.rgba().data();
  EXPECT_EQ(bench.run_on(**stamp, std::move(picture)).rgba().data(), place);
  EXPECT_THAT((*stamp)->counters(), ElementsAre(Pair("copied", 0)));
}

TEST(Stamp, DrawsWhereOtherProcessesSeeItIfTheyAreTo) {
  Bench bench({256, 128}, media::Backing::shared);
  const auto stamp = bench.make("stamp");
  EXPECT_TRUE(bench.run_on(**stamp, bench.filled(9, 9, 9)).shared_place());
  EXPECT_THAT((*stamp)->counters(), ElementsAre(Pair("copied", 0)));
  media::FramePool own({256, 128}, 1);
  auto picture = std::move(*own.try_acquire()).publish();
  EXPECT_TRUE(bench.run_on(**stamp, std::move(picture)).shared_place());
  EXPECT_THAT((*stamp)->counters(), ElementsAre(Pair("copied", 1)));
}

TEST(Stamp, LeavesAPictureAloneThatOthersHave) {
  Bench bench;
  const auto stamp = bench.make("stamp");
  const auto picture = bench.filled(9, 9, 9);
  const auto before = bytes_of(picture);
  EXPECT_NE(bytes_of(bench.run_on(**stamp, picture)), before);
  EXPECT_EQ(bytes_of(picture), before);
  EXPECT_THAT((*stamp)->counters(), ElementsAre(Pair("copied", 1)));
}

/// A stamp, a checker and the pictures between them.
class StampToChecker : public ::testing::Test {
 protected:
  media::Frame stamped(std::uint64_t index, std::uint64_t epoch = 1) {
    return bench_.run(*stamp_, index, {bench_.noise(static_cast<std::uint32_t>(index))}, epoch);
  }
  void check(const media::Frame& frame) { (void)bench_.run(*checker_, 0, {frame}); }
  void check_all(const std::vector<std::uint64_t>& indexes) {
    for (const auto index : indexes)
      check(stamped(index));
  }
  Counts counts() const {
    const auto counters = checker_->counters();
    Counts counts(counters.begin(), counters.end());
    std::erase_if(counts, [](const auto& count) { return count.second == 0; });
    return counts;
  }

  Bench bench_;
  std::unique_ptr<Plugin> stamp_ = bench_.make("stamp", {{"source", 7.0}}).value();
  std::unique_ptr<Plugin> checker_ = bench_.make("checker", {{"source", 7.0}}).value();
};

TEST_F(StampToChecker, FindsNothingWhenAllIsWell) {
  check_all({0, 1, 2, 3, 4});
  EXPECT_EQ(counts(), (Counts{{"checked", 5}, {"epochs", 1}}));
  EXPECT_TRUE(bench_.events().lines().empty());
}

TEST_F(StampToChecker, PassesThePictureOn) {
  const auto frame = stamped(0);
  EXPECT_EQ(bench_.run(*checker_, 0, {frame}).rgba().data(), frame.rgba().data());
}

TEST_F(StampToChecker, CountsEveryLostFrame) {
  check_all({0, 1, 5, 6});
  EXPECT_EQ(counts(), (Counts{{"checked", 4}, {"epochs", 1}, {"lost", 3}}));
  EXPECT_THAT(bench_.events().lines(),
              ::testing::ElementsAre("left.fx: lost: frame 5 came after 1"));
}

// Before, an input that held its last picture was counted as a fault.
TEST_F(StampToChecker, CountsAPictureThatIsHeldApart) {
  check_all({0, 1, 1, 1, 2});
  EXPECT_EQ(counts(), (Counts{{"checked", 5}, {"epochs", 1}, {"held", 2}}));
  EXPECT_TRUE(bench_.events().lines().empty());
}

TEST_F(StampToChecker, CountsDuplicatesThatComeAfterAnotherPicture) {
  check_all({0, 1});
  check(bench_.noise(3));
  check_all({1, 2, 1, 2, 3});
  EXPECT_EQ(
      counts(),
      (Counts{
          {"checked", 8}, {"duplicated", 2}, {"epochs", 1}, {"reordered", 1}, {"unreadable", 1}}));
}

// Before, it counted as unreadable. A strip drawn over it had an epoch of its own.
TEST_F(StampToChecker, CountsThePictureThatStandsInAsHeld) {
  check_all({0, 1});
  auto picture = *bench_.pool().try_acquire();
  std::fill(picture.rgba().begin(), picture.rgba().end(), std::uint8_t{77});
  picture.stamp().epoch = kStandInEpoch;
  const auto stand_in = std::move(picture).publish();
  check(stand_in);
  check(stamped(9, kStandInEpoch));
  check_all({1, 2});
  EXPECT_EQ(counts(), (Counts{{"checked", 6}, {"epochs", 1}, {"held", 3}}));
  EXPECT_TRUE(bench_.events().lines().empty());
}

TEST_F(StampToChecker, CountsReorderedFrames) {
  check_all({0, 2, 1, 3});
  EXPECT_EQ(counts(), (Counts{{"checked", 4}, {"epochs", 1}, {"lost", 1}, {"reordered", 1}}));
}

TEST_F(StampToChecker, FindsATearOfFourRowsAnywhere) {
  for (int row = 0; row < 128; row += 4) {
    const auto index = static_cast<std::uint64_t>(row);
    check(bench_.splice(stamped(index + 1), stamped(index), row, row + 4));
  }
  // A tear through the strip itself makes it unreadable or torn; either way it is found.
  EXPECT_EQ(counts().at("torn") + counts()["unreadable"], 32U);
}

TEST_F(StampToChecker, FindsATearThatTookTheWholeStrip) {
  check(stamped(0));
  check(bench_.splice(stamped(1), stamped(0), 0, 64));
  check(stamped(2));
  EXPECT_EQ(counts(), (Counts{{"checked", 3}, {"epochs", 1}, {"torn", 1}}));
}

TEST_F(StampToChecker, FindsRowsOfTheSameFrameInTheWrongPlace) {
  const auto frame = stamped(0);
  const auto other = bench_.splice(frame, frame, 0, 128);
  const auto row = std::size_t{256} * 4;
  auto* const pixels = const_cast<std::uint8_t*>(other.rgba().data());  // a damaged copy
  std::copy_n(frame.rgba().data() + 64 * row, 8 * row, pixels + 96 * row);
  check(other);
  EXPECT_EQ(counts(), (Counts{{"checked", 1}, {"torn", 1}}));
}

TEST_F(StampToChecker, CountsUnreadableFramesOnceEach) {
  check(stamped(0));
  check(bench_.noise(3));
  check(stamped(2));
  EXPECT_EQ(counts(), (Counts{{"checked", 3}, {"epochs", 1}, {"unreadable", 1}}));
}

TEST_F(StampToChecker, CountsFramesOfAnotherSource) {
  const auto other = bench_.make("stamp", {{"source", 8.0}}).value();
  check(bench_.run(*other, 0, {bench_.noise(1)}));
  EXPECT_EQ(counts(), (Counts{{"checked", 1}, {"wrong_source", 1}}));
}

TEST_F(StampToChecker, BeginsAnewWithAGreaterEpoch) {
  check_all({0, 1});
  check(stamped(0, 2));
  check(stamped(1, 2));
  check(stamped(2, 1));
  EXPECT_EQ(counts(), (Counts{{"checked", 5}, {"epochs", 2}, {"reordered", 1}}));
}

// An input without a frame shows black. Before, black counted as unreadable, and the next frame as
// reordered.
TEST_F(StampToChecker, CountsBlackPicturesApart) {
  check_all({0, 1});
  for (int i = 0; i < 4; ++i)
    check(bench_.filled(0, 0, 0));
  check_all({2, 3});
  EXPECT_EQ(counts(), (Counts{{"checked", 8}, {"epochs", 1}, {"black", 4}}));
  EXPECT_TRUE(bench_.events().lines().empty());
}

// Before, the expected index moved on by one for each unreadable picture.
TEST_F(StampToChecker, CallsNoFrameReorderedAfterPicturesWithoutAStrip) {
  check_all({0, 1});
  for (std::uint32_t i = 0; i < 4; ++i)
    check(bench_.noise(i));
  check_all({2, 3});
  EXPECT_EQ(counts(), (Counts{{"checked", 8}, {"epochs", 1}, {"unreadable", 4}}));
}

TEST_F(StampToChecker, FollowsASourceThatBeganAgainWithItsClockSetBack) {
  check_all({0, 1});
  for (std::uint64_t i = 0; i < 60; ++i)
    check(stamped(i, 0));
  EXPECT_EQ(counts(), (Counts{{"checked", 62}, {"epochs", 2}, {"reordered", 1}}));
}

TEST_F(StampToChecker, KeepsSeveralStripsApartInOnePicture) {
  const auto second = bench_.make("stamp", {{"source", 9.0}, {"place", 3.0}}).value();
  const auto second_checker = bench_.make("checker", {{"source", 9.0}, {"place", 3.0}}).value();
  for (std::uint64_t i = 0; i < 3; ++i) {
    const auto frame = bench_.run(*second, 100 + i, {stamped(i)});
    check(frame);
    (void)bench_.run(*second_checker, 0, {frame});
  }
  EXPECT_EQ(counts(), (Counts{{"checked", 3}, {"epochs", 1}}));
  EXPECT_EQ(second_checker->counters()[0], (std::pair<std::string, std::uint64_t>("checked", 3)));
  EXPECT_EQ(second_checker->counters()[1].second, 0U);
}

}  // namespace
}  // namespace submix::plugin
