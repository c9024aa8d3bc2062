// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/network/jitter_buffer.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace submix::io {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Time = JitterBuffer::Time;

const Time kBegin{seconds(1000)};

void put(JitterBuffer& buffer, std::uint8_t number, Time due) {
  buffer.put({.rgba = {number}, .due = due, .came = due});
}

/// The number of the picture for a frame; -1: none.
int shown(JitterBuffer& buffer, Time now) {
  const auto* picture = buffer.take(now);
  return picture == nullptr ? -1 : picture->rgba[0];
}

TEST(JitterBuffer, ShowsEachPictureWhenItIsDue) {
  JitterBuffer buffer(8);
  for (const int i : {0, 1, 2})
    put(buffer, static_cast<std::uint8_t>(i), kBegin + milliseconds(100 * (i + 1)));
  EXPECT_EQ(shown(buffer, kBegin + milliseconds(90)), -1);
  EXPECT_EQ(shown(buffer, kBegin + milliseconds(120)), 0);
  EXPECT_EQ(shown(buffer, kBegin + milliseconds(150)), 0);
  EXPECT_EQ(shown(buffer, kBegin + milliseconds(220)), 1);
  EXPECT_EQ(shown(buffer, kBegin + milliseconds(330)), 2);
  EXPECT_EQ(buffer.counts().received, 3U);
  EXPECT_EQ(buffer.counts().repeated, 1U);
  EXPECT_EQ(buffer.counts().skipped, 0U);
}

TEST(JitterBuffer, ShowsTheNewestDuePictureAndCountsTheOthers) {
  JitterBuffer buffer(8);
  for (const int i : {0, 1, 2, 3})
    put(buffer, static_cast<std::uint8_t>(i), kBegin + milliseconds(10 * i));
  EXPECT_EQ(shown(buffer, kBegin + milliseconds(25)), 2);
  EXPECT_EQ(buffer.counts().skipped, 2U);
  EXPECT_EQ(buffer.waiting(), 1U);
}

TEST(JitterBuffer, KeepsTheLastPictureForTwoSeconds) {
  JitterBuffer buffer(8);
  put(buffer, 7, kBegin);
  EXPECT_EQ(shown(buffer, kBegin), 7);
  EXPECT_EQ(shown(buffer, kBegin + JitterBuffer::kHeld), 7);
  EXPECT_EQ(shown(buffer, kBegin + JitterBuffer::kHeld + milliseconds(1)), -1);
  EXPECT_EQ(buffer.counts().repeated, 1U) << "black is no repeated picture";
  put(buffer, 8, kBegin + seconds(60));
  EXPECT_EQ(shown(buffer, kBegin + seconds(60)), 8);
}

TEST(JitterBuffer, NeverHoldsMoreThanItsPicturesAndStillShowsThem) {
  JitterBuffer buffer(3);
  for (int i = 0; i < 100; ++i) {
    put(buffer, static_cast<std::uint8_t>(i), kBegin + seconds(i + 60));  // far in the future
    EXPECT_LE(buffer.waiting(), 3U);
    EXPECT_EQ(shown(buffer, kBegin + milliseconds(i)), i < 3 ? -1 : i - 3);
  }
}

TEST(JitterBuffer, NeitherSkipsNorRepeatsWherePicturesAndFramesFallTogether) {
  JitterBuffer buffer(8);
  const milliseconds step(40);
  int before = -1;
  for (int i = 0; i < 100; ++i) {
    const auto noise = microseconds(i % 2 == 0 ? 1500 : -1500);  // of the frames
    put(buffer, static_cast<std::uint8_t>(i), kBegin + i * step);
    const int now_shown = shown(buffer, kBegin + i * step + noise);
    EXPECT_EQ(now_shown, before + 1) << i;
    before = now_shown;
  }
  EXPECT_EQ(buffer.counts().skipped, 0U);
  EXPECT_EQ(buffer.counts().repeated, 0U);
}

TEST(JitterBuffer, GivesTheMemoryOfShownPicturesBack) {
  JitterBuffer buffer(8);
  EXPECT_TRUE(buffer.take_memory().empty());
  put(buffer, 1, kBegin);
  put(buffer, 2, kBegin + seconds(1));
  static_cast<void>(buffer.take(kBegin));
  static_cast<void>(buffer.take(kBegin + seconds(1)));
  EXPECT_EQ(buffer.take_memory().size(), 1U);
  EXPECT_TRUE(buffer.take_memory().empty());
}

}  // namespace
}  // namespace submix::io
