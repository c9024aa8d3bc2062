// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/text.hpp"

#include "common/show/nearest.hpp"
#include "common/show/output_name.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::show {
namespace {

using ::testing::HasSubstr;

TEST(ParseValue, TellsSwitchesNumbersColoursAndTextApart) {
  EXPECT_EQ(*parse_value("true"), ParameterValue(true));
  EXPECT_EQ(*parse_value("false"), ParameterValue(false));
  EXPECT_EQ(*parse_value("0.5"), ParameterValue(0.5));
  EXPECT_EQ(*parse_value("-1e3"), ParameterValue(-1000.0));
  EXPECT_EQ(*parse_value("[1, 0,0.5]"), ParameterValue(std::vector<double>{1.0, 0.0, 0.5}));
  EXPECT_EQ(*parse_value("clip.mp4"), ParameterValue("clip.mp4"));
  EXPECT_EQ(*parse_value("\"0.5\""), ParameterValue("0.5"));
  EXPECT_EQ(*parse_value("nan"), ParameterValue("nan"));
  EXPECT_EQ(*parse_value("1e999"), ParameterValue("1e999"));
  EXPECT_EQ(*parse_value(""), ParameterValue(""));
  EXPECT_EQ(*parse_value(R"("a \"b\" \\")"), ParameterValue(R"(a "b" \)"));
}

TEST(ParseValue, RefusesARowWithSomethingElseInIt) {
  EXPECT_THAT(why(parse_value("[1, x]")), HasSubstr("\"x\" is not a number"));
  EXPECT_THAT(why(parse_value("[1,,2]")), HasSubstr("\"\" is not a number"));
}

TEST(ParseValue, TakesBackWhatToStringWrites) {
  for (const ParameterValue& value :
       {ParameterValue(true), ParameterValue(0.1), ParameterValue(1e22),
        ParameterValue(std::vector<double>{0.25, 1.0}), ParameterValue("a \"quoted\" back\\slash"),
        ParameterValue("0.5")}) {
    EXPECT_EQ(*parse_value(to_string(value)), value);
  }
}

TEST(ParseFrameRate, TakesWhatPeopleWriteForTelevisionsFractions) {
  EXPECT_EQ(*parse_frame_rate("23.976"), (FrameRate{24000, 1001}));
  EXPECT_EQ(*parse_frame_rate("23.98"), (FrameRate{24000, 1001}));
  EXPECT_EQ(*parse_frame_rate("29.97"), (FrameRate{30000, 1001}));
  EXPECT_EQ(*parse_frame_rate("59.94"), (FrameRate{60000, 1001}));
  EXPECT_EQ(*parse_frame_rate("119.88"), (FrameRate{120000, 1001}));
}

TEST(ParseFrameRate, TakesWholeNumbersAndFractionsOnly) {
  EXPECT_EQ(*parse_frame_rate("30"), (FrameRate{30, 1}));
  EXPECT_EQ(*parse_frame_rate("30000/1001"), (FrameRate{30000, 1001}));
  for (const std::string_view bad : {"", "29.9", "12.5", "nan.", "-30", "30/", "/1001", "30/1/1",
                                     "99999999999", "0x1e", " 30"}) {
    EXPECT_FALSE(parse_frame_rate(bad)) << bad;
  }
}

TEST(ParseDelay, TakesFramesAndTheWordLeastOnly) {
  EXPECT_EQ(*parse_delay("least"), 0);
  EXPECT_EQ(*parse_delay(delay_text(0)), 0);
  EXPECT_EQ(*parse_delay(delay_text(4)), 4);
  for (const std::string_view bad : {"", "most", "4 frames", "4.5", "0x4"})
    EXPECT_FALSE(parse_delay(bad)) << bad;
}

TEST(ParsePort, TakesSubmixDotSlotOnly) {
  EXPECT_EQ(*parse_port("left.out"), (Port{"left", "out"}));
  for (const std::string_view bad : {"", "left", ".", "left.", ".out", "a.b.c", "Left.out"}) {
    EXPECT_FALSE(parse_port(bad)) << bad;
  }
}

TEST(ParsePolicy, NamesTheNearest) {
  for (const auto policy : {InputPolicy::wait, InputPolicy::hold, InputPolicy::black,
                            InputPolicy::latest, InputPolicy::standby})
    EXPECT_EQ(*parse_policy(to_string(policy)), policy);
  EXPECT_THAT(why(parse_policy("last")),
              HasSubstr("use \"wait\", \"hold\", \"black\", \"standby\" or \"latest\""));
  EXPECT_THAT(why(parse_policy("hodl")), HasSubstr("did you mean \"hold\""));
}

TEST(ParsePixels, NamesTheNearest) {
  for (const auto pixels : {PixelFormat::rgb24, PixelFormat::rgba})
    EXPECT_EQ(*parse_pixels(to_string(pixels)), pixels);
  EXPECT_EQ(why(parse_pixels("rgbx")),
            "pixels \"rgbx\" are not known (did you mean \"rgba\"?); use \"rgb24\" or \"rgba\"");
}

TEST(ParseChecksum, NamesTheNearest) {
  for (const auto checksum : {Checksum::none, Checksum::xxh3})
    EXPECT_EQ(*parse_checksum(to_string(checksum)), checksum);
  EXPECT_EQ(why(parse_checksum("crc32c")),
            "checksum \"crc32c\" is not known; use \"off\" or \"xxh3\"");
  EXPECT_THAT(why(parse_checksum("xhx3")), HasSubstr("did you mean \"xxh3\""));
}

TEST(IsPlainText, TakesWellFormedUtf8Only) {
  for (const std::string_view good : {"", "abc\n\t", "é", "…", "\U0001F600", "\u0080"})
    EXPECT_TRUE(is_plain_text(good));
  for (const std::string_view bad :
       {"\x01", "\x7f", "\x80", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
        "\xf0\x80\x80\x80", "\xe0\x80\x80", "\xff", "\xe2\x82"}) {
    EXPECT_FALSE(is_plain_text(bad));
  }
}

TEST(Nearest, FindsSlipsButNothingFar) {
  const std::vector<std::string> words{"parameters", "plugin", "name", "in"};
  EXPECT_EQ(nearest("paramters", words), "parameters");
  EXPECT_EQ(nearest("PLUGIN", words), "plugin");
  EXPECT_EQ(nearest("nmae", words), "name");
  EXPECT_EQ(nearest("colour", words), "");
  EXPECT_EQ(nearest(std::string(100'000, 'n'), words), "");
}

TEST(Nearest, CountsTheNameBehindTheLastSlashOnly) {
  const std::vector<std::string> plugins{"frei0r/dodge", "frei0r/glow"};
  EXPECT_EQ(nearest("frei0r/nope", plugins), "");
  EXPECT_EQ(nearest("frei0r/golw", plugins), "frei0r/glow");
}

TEST(OutputName, IsAnotherOneForEachSlot) {
  EXPECT_EQ(output_name({"mix", "screen"}), "Screen of mix");
  EXPECT_EQ(output_name({"mix", "window-2"}), "Window 2 of mix");
  EXPECT_EQ(output_name({"left", "2nd"}), "2nd of left");
  EXPECT_EQ(output_name({}), " of ");
}

}  // namespace
}  // namespace submix::show
