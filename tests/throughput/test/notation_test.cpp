// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/notation.hpp"
#include "tests/support/why.hpp"

#include <gtest/gtest.h>

namespace submix::throughput {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using namespace std::chrono_literals;

TEST(Notation, ReadsRatesOfLinks) {
  EXPECT_EQ(parse_bit_rate("1gbit")->bits_per_second, 1'000'000'000U);
  EXPECT_EQ(parse_bit_rate("2.5gbit")->bits_per_second, 2'500'000'000U);
  EXPECT_EQ(parse_bit_rate("150mbit")->bits_per_second, 150'000'000U);
  EXPECT_EQ(parse_bit_rate("1000kbit")->bits_per_second, 1'000'000U);
}

TEST(Notation, RefusesWhatIsNoRateOrBeyondTheLimits) {
  for (const auto* text :
       {"", "1", "gbit", "1gbit ", "-1gbit", "1 gbit", "1e3mbit", "nangbit", "1GB"})
    EXPECT_FALSE(parse_bit_rate(text)) << text;
  EXPECT_EQ(why(parse_bit_rate("999kbit")), "rate 999kbit is not within 1mbit to 100gbit");
  EXPECT_FALSE(parse_bit_rate("101gbit"));
}

TEST(Notation, WritesARateAsItReadsIt) {
  for (const auto* text : {"1gbit", "2.5gbit", "500mbit", "1mbit"})
    EXPECT_EQ(to_text(*parse_bit_rate(text)), text);
}

TEST(Notation, ReadsAShapeOfOneToEightLinks) {
  const auto shape = parse_shape("1.5gbit,700mbit,150mbit");
  ASSERT_TRUE(shape);
  EXPECT_EQ(*shape, (std::vector<BitRate>{{1'500'000'000}, {700'000'000}, {150'000'000}}));
  EXPECT_TRUE(parse_shape("1gbit,1gbit,1gbit,1gbit,1gbit,1gbit,1gbit,1gbit"));
  EXPECT_FALSE(parse_shape("1gbit,1gbit,1gbit,1gbit,1gbit,1gbit,1gbit,1gbit,1gbit"));
  EXPECT_FALSE(parse_shape(""));
  EXPECT_FALSE(parse_shape("1gbit,"));
}

TEST(Notation, ReadsADelayForEachLink) {
  EXPECT_EQ(*parse_delays("0ms,2.5ms,300us"), (std::vector<microseconds>{0us, 2500us, 300us}));
  EXPECT_EQ(why(parse_delays("5")), "\"5\" is no delay; write it like 0ms, 2.5ms or 300us");
  EXPECT_EQ(why(parse_delays("5ms,201ms")), "delay 201ms is not within 0ms to 200ms");
  for (const auto* text : {"", "5ms,", "-1ms", "1s", "nanms", "ms"})
    EXPECT_FALSE(parse_delays(text)) << text;
  EXPECT_FALSE(parse_delays("0ms,0ms,0ms,0ms,0ms,0ms,0ms,0ms,0ms"));
}

TEST(Notation, ReadsSizesAndTheirNames) {
  EXPECT_EQ(*parse_size("1024x768"), (Size{1024, 768}));
  EXPECT_EQ(*parse_size("xga"), (Size{1024, 768}));
  EXPECT_EQ(*parse_size("1080p"), (Size{1920, 1080}));
  for (const auto* text :
       {"", "1024", "1024x", "x768", "1024x768x2", "8x8", "8193x16", "-16x16", "16.0x16"})
    EXPECT_FALSE(parse_size(text)) << text;
}

TEST(Notation, ReadsFrameRatesExactly) {
  EXPECT_EQ(**parse_frame_rate("30"), (FrameRate{30, 1}));
  EXPECT_EQ(**parse_frame_rate("59.94"), (FrameRate{2997, 50}));
  EXPECT_EQ(**parse_frame_rate("30000/1001"), (FrameRate{30000, 1001}));
  EXPECT_EQ(*parse_frame_rate("max"), std::nullopt);
  for (const auto* text : {"", "0", "-1", "1001", "fast", "1/0", "1/2/3", "30fps"})
    EXPECT_FALSE(parse_frame_rate(text)) << text;
}

TEST(Notation, ReadsHowALinkIsToChange) {
  const auto variation = parse_variation("1:1gbit,100mbit@2s");
  ASSERT_TRUE(variation);
  EXPECT_EQ(*variation, (Variation{1, {{1'000'000'000}, {100'000'000}}, milliseconds(2000)}));
  EXPECT_EQ(parse_variation("0:1gbit,10mbit,2mbit@500ms")->period, milliseconds(500));
  for (const auto* text : {"", "1", "1:1gbit@2s", "1gbit,100mbit@2s", "1:1gbit,100mbit",
                           "1:1gbit,100mbit@2", "1:1gbit,100mbit@1ms", "@1:2", "x:1gbit,2gbit@2s"})
    EXPECT_FALSE(parse_variation(text)) << text;
}

}  // namespace
}  // namespace submix::throughput
