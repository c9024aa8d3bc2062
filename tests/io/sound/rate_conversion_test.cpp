// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/rate_conversion.hpp"

#include "node/io/sound/sound_stream.hpp"
#include "tests/io/sound/synthetic_sound.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

namespace submix::io {
namespace {

/// One second of `samples` as a server gives them, in periods of 256.
testing::Samples converted(RateConversion& conversion, std::span<const float> samples) {
  testing::Samples given;
  while (!samples.empty()) {
    const auto period = samples.first(std::min<std::size_t>(samples.size(), 256));
    const auto some = conversion.convert(period);
    given.insert(given.end(), some.begin(), some.end());
    samples = samples.subspan(period.size());
  }
  return given;
}

TEST(RateConversion, LeavesTheStreamsRateAsItIs) {
  auto conversion = RateConversion::from(kSoundRateHz);
  ASSERT_TRUE(conversion);
  const auto tone = testing::tone(0.1, 440.0, 0.5);
  EXPECT_EQ(converted(*conversion, tone), tone);
  EXPECT_EQ(conversion->delay(), std::chrono::nanoseconds(0));
}

TEST(RateConversion, GivesAsMuchSoundAsItTakes) {
  for (const int rate_hz : {8'000, 22'050, 44'100, 88'200, 96'000, 192'000}) {
    auto conversion = RateConversion::from(rate_hz);
    ASSERT_TRUE(conversion) << rate_hz;
    const auto given = converted(*conversion, testing::Samples(static_cast<std::size_t>(rate_hz)));
    const auto waiting = std::chrono::duration<double>(conversion->delay()).count() * kSoundRateHz;
    EXPECT_NEAR(static_cast<double>(given.size()) + waiting, kSoundRateHz, 2.0) << rate_hz;
    EXPECT_LT(conversion->delay(), std::chrono::milliseconds(5)) << rate_hz;
  }
}

TEST(RateConversion, RemovesWhatTheStreamsRateCannotHave) {
  auto conversion = RateConversion::from(96'000);
  ASSERT_TRUE(conversion);
  const auto above = testing::tone(1.0, 17'000.0, 0.5);  // 34,000 Hz at this rate
  const auto given = converted(*conversion, above);
  for (std::size_t i = 1'000; i < given.size(); ++i)  // after its sudden begin
    ASSERT_LT(std::abs(given[i]), 0.005F) << i;
}

TEST(RateConversion, RefusesRatesThatNoServerHas) {
  for (const int rate_hz : {-1, 0, 7'999, 768'001})
    EXPECT_FALSE(RateConversion::from(rate_hz)) << rate_hz;
  EXPECT_EQ(why(RateConversion::from(0)), "its rate of 0 Hz is not within 8000 to 768000");
}

}  // namespace
}  // namespace submix::io
