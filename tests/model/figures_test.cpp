// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/figures.hpp"

#include "tests/model/readings.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace submix::model {
namespace {

using namespace std::chrono_literals;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

FigureSample sample(float value) {
  FigureSample sample;
  sample.fill(value);
  return sample;
}

TEST(PackFigure, KeepsANumberToWithinAFewTenThousandths) {
  for (float value = 0.0001F; value < 100'000; value *= 1.37F)
    EXPECT_NEAR(unpack_figure(pack_figure(value)), value, value / 4000) << value;
}

TEST(PackFigure, KeepsNoughtAndOneExactly) {
  EXPECT_EQ(unpack_figure(pack_figure(0)), 0);
  EXPECT_EQ(unpack_figure(pack_figure(1)), 1);
}

TEST(PackFigure, TakesWhatIsTooGreatForTheGreatest) {
  EXPECT_NEAR(unpack_figure(pack_figure(1e30F)), 131'000, 100);
  EXPECT_NEAR(unpack_figure(pack_figure(std::numeric_limits<float>::infinity())), 131'000, 100);
}

TEST(PackFigure, TakesWhatIsNegativeOrTooSmallForNought) {
  EXPECT_EQ(unpack_figure(pack_figure(-3)), 0);
  EXPECT_EQ(unpack_figure(pack_figure(1e-30F)), 0);
}

TEST(PackFigure, KnowsWhatIsNotKnown) {
  EXPECT_TRUE(std::isnan(unpack_figure(pack_figure(kNaN))));
}

TEST(FigureRing, TellsWhatWasPutInAndNothingElse) {
  FigureRing ring;
  ring.add(1000, sample(4));
  ring.add(1002, sample(5));
  const auto series = ring.series();
  EXPECT_EQ(series.at(0, 1000), 4);
  EXPECT_TRUE(std::isnan(series.at(0, 1001)));
  EXPECT_EQ(series.at(4, 1002), 5);
  EXPECT_TRUE(std::isnan(series.at(0, 999)));
  EXPECT_TRUE(std::isnan(series.at(0, 1003)));
}

TEST(FigureRing, KeepsTheGreaterOfTwoOfOneTick) {
  FigureRing ring;
  ring.add(7, sample(1));
  ring.add(7, sample(9));
  ring.add(7, sample(2));
  EXPECT_EQ(ring.series().at(0, 7), 9);
}

TEST(FigureRing, KeepsTenMinutes) {
  FigureRing ring;
  for (std::int64_t tick = 0; tick < 10'000; ++tick)
    ring.add(tick, sample(static_cast<float>(tick % 1000)));
  const auto series = ring.series();
  for (std::int64_t tick = 10'000 - kFigureTicksKept; tick < 10'000; ++tick)
    ASSERT_NEAR(series.at(0, tick), static_cast<float>(tick % 1000), 0.3) << tick;
  EXPECT_TRUE(std::isnan(series.at(0, 10'000 - kFigureTicksKept - kFigureTicksInBlock - 1)));
}

TEST(FigureRing, HasAGapWhereNothingCameForLong) {
  FigureRing ring;
  ring.add(100, sample(1));
  ring.add(100 + 4 * kFigureTicksInBlock, sample(2));
  const auto series = ring.series();
  EXPECT_EQ(series.at(0, 100), 1);
  EXPECT_TRUE(std::isnan(series.at(0, 100 + 2 * kFigureTicksInBlock)));
  EXPECT_EQ(series.at(0, 100 + 4 * kFigureTicksInBlock), 2);
}

TEST(FigureRing, BeginsAnewAfterAGapLongerThanItKeeps) {
  FigureRing ring;
  ring.add(100, sample(1));
  ring.add(1'000'000'000'000, sample(2));
  const auto series = ring.series();
  EXPECT_EQ(series.blocks.size(), 1U);
  EXPECT_EQ(series.at(0, 1'000'000'000'000), 2);
}

TEST(FigureRing, DropsWhatIsOlderThanTheNewest) {
  FigureRing ring;
  ring.add(100, sample(1));
  ring.add(99, sample(2));
  EXPECT_TRUE(std::isnan(ring.series().at(0, 99)));
}

TEST(FigureRing, LeavesASeriesThatSomebodyHoldsAsItIs) {
  FigureRing ring;
  ring.add(100, sample(1));
  const auto held = ring.series();
  ring.add(101, sample(2));
  EXPECT_TRUE(std::isnan(held.at(0, 101)));
}

TEST(FigureRing, NeverTakesMoreThanSeventyKilobytes) {
  FigureRing ring;
  for (std::int64_t tick = 0; tick < 20'000; ++tick)
    ring.add(tick, sample(1));
  EXPECT_LT(ring.bytes(), 70'000U);
}

class FigureHistoryTest : public ::testing::Test {
 protected:
  void add(std::uint64_t tenths) {
    const auto before = sample::sender(tenths - 1);
    const auto after = sample::sender(tenths);
    history_.add({&before, &after}, LocalTime(100ms * static_cast<std::int64_t>(tenths)));
  }
  [[nodiscard]] float link(LinkFigure figure, std::int64_t tick) const {
    return history_.series_of({"left"}).at({"left", 1}).at(std::size_t(figure), tick);
  }
  [[nodiscard]] float stream(StreamFigure figure, std::int64_t tick) const {
    return history_.series_of({"left"}).at({"left"}).at(std::size_t(figure), tick);
  }

  FigureHistory history_;
};

TEST_F(FigureHistoryTest, HasTheRatesBetweenTwoReadings) {
  add(20);
  EXPECT_NEAR(link(LinkFigure::mb_per_second, 20), 35, 0.1);
  EXPECT_NEAR(link(LinkFigure::queue_kb, 20), 64, 0.1);
  EXPECT_NEAR(stream(StreamFigure::mb_per_second, 20), 70, 0.1) << "of both links";
  EXPECT_NEAR(stream(StreamFigure::fps, 20), 30, 0.1);
  EXPECT_NEAR(stream(StreamFigure::credit_wait_share, 20), 0.2, 0.001);
}

TEST_F(FigureHistoryTest, HasNothingOfStreamsThatNobodyAskedFor) {
  add(20);
  EXPECT_TRUE(history_.series_of({}).empty());
  EXPECT_TRUE(history_.series_of({"lef", "left2"}).empty());
  EXPECT_EQ(history_.series_of({"left"}).size(), 3U) << "the stream and its two links";
}

TEST_F(FigureHistoryTest, BeginsAnewWithAnEpoch) {
  const auto before = sample::sender(19);
  auto after = sample::sender(20);
  after.streams[0].epoch = 2;
  history_.add({&before, &after}, LocalTime(2s));
  EXPECT_TRUE(history_.series_of({"left"}).empty()) << "there is nothing yet to compare with";
}

TEST_F(FigureHistoryTest, ForgetsALinkOfWhichNothingCameForTenMinutes) {
  add(20);
  history_.forget_old(LocalTime(5min));
  EXPECT_EQ(history_.series_of({"left"}).size(), 3U);
  history_.forget_old(LocalTime(11min));
  EXPECT_TRUE(history_.series_of({"left"}).empty());
}

TEST_F(FigureHistoryTest, IsBoundedWhateverNodesSay) {
  auto before = sample::sender(19);
  auto after = sample::sender(20);
  for (int i = 0; i < 100; ++i) {
    for (auto* reading : {&before, &after}) {
      reading->streams[0].stream = fmt::format("s{}", i);
      reading->streams[0].links.resize(100);
      for (std::uint32_t link = 0; link < 100; ++link)
        reading->streams[0].links[link].index = link;
    }
    history_.add({&before, &after}, LocalTime(2s));
  }
  EXPECT_LE(history_.bytes(), FigureHistory::kRingsMax * 4'000);
}

}  // namespace
}  // namespace submix::model
