// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/format.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace submix::ui {
namespace {

using namespace std::chrono_literals;

TEST(Format, KeepsRatesShort) {
  EXPECT_EQ(rate_text(0), "0.0");
  EXPECT_EQ(rate_text(29.97), "30.0");
  EXPECT_EQ(rate_text(1234.5), "1234");
  EXPECT_LE(rate_text(std::numeric_limits<double>::max()).size(), 8U);
}

TEST(Format, CountsBytesInPowersOfTen) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(64'000), "64 kB");
  EXPECT_EQ(bytes_text(1'234'000'000), "1.2 GB");
  EXPECT_EQ(bytes_text(std::numeric_limits<std::uint64_t>::max()), "18 EB");
}

TEST(Format, SaysHowLong) {
  EXPECT_EQ(duration_text(340ms), "340 ms");
  EXPECT_EQ(duration_text(12s), "12 s");
  EXPECT_EQ(duration_text(180s), "3 min");
  EXPECT_EQ(duration_text(5h), "5 h");
}

TEST(Format, SaysWhatAFrameTook) {
  EXPECT_EQ(milliseconds_text(40us), "0.04 ms");
  EXPECT_EQ(milliseconds_text(16'700us), "16.70 ms");
}

TEST(Format, FindsWordsWithoutTheirAccents) {
  EXPECT_TRUE(contains("Oktoberfest München.mp4", "munch"));
  EXPECT_TRUE(contains("Oktoberfest Mu\xCC\x88nchen.mp4", "MÜNCH")) << "as a Mac writes it";
  EXPECT_TRUE(contains("straße łódź Ærø", "STRASSE LODZ AERO"));
  EXPECT_TRUE(contains("ΜΟΥΣΙΚΉ", "μουσικη"));
  EXPECT_TRUE(contains("Вечерний Эфир", "эфир"));
  EXPECT_FALSE(contains("Manchen", "munch"));
}

TEST(Format, FindsWordsBesideLettersThatHaveNoCase) {
  EXPECT_TRUE(contains("東京の夜 TOKYO \xF0\x9F\x8E\xA5", "の夜 tokyo \xF0\x9F\x8E\xA5"));
  EXPECT_TRUE(contains("cut \xC3", "CUT \xC3")) << "no UTF-8";
}

TEST(Format, NamesPluginsAsPeopleDo) {
  EXPECT_EQ(title_of("frei0r/glow"), "Glow");
  EXPECT_EQ(title_of("frei0r/contrast0r"), "Contrast");
  EXPECT_EQ(title_of("frei0r/test_pat_B"), "Test pat B");
  EXPECT_EQ(title_of("stamp"), "Stamp");
  EXPECT_EQ(title_of(""), "");
}

TEST(Format, RoundsShares) {
  EXPECT_EQ(percent_text(0.074), "7 %");
  EXPECT_EQ(percent_text(1), "100 %");
}

}  // namespace
}  // namespace submix::ui
