// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/surface.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace submix::input {
namespace {

using ::testing::HasSubstr;

int value_of(const OscMessage& message) {
  const auto event = event_of(message);
  EXPECT_TRUE(event) << message.address;
  return event ? event->value : -1;
}

TEST(SurfaceEvents, OfOscTakeTheFirstNumber) {
  const int most = value_max(OscControl{"/x"});
  EXPECT_EQ(value_of({"/1/xy", {0.25F, 1.0F}}), most / 4);
  EXPECT_EQ(value_of({"/1/toggle", {true}}), most);
  EXPECT_EQ(value_of({"/1/push", {std::int32_t{0}}}), 0);
  EXPECT_EQ(value_of({"/1/push"}), most) << "a press";
  EXPECT_EQ(value_of({"/1/fader", {7.0F}}), most);
  EXPECT_EQ(value_of({"/1/fader", {-7.0F}}), 0);
}

TEST(SurfaceEvents, AreNotOfTextsOrOfAddressesThatMeanSomething) {
  EXPECT_FALSE(event_of({"/1/label", {std::string("loud")}}));
  EXPECT_FALSE(event_of({"/1/fader", {std::numeric_limits<float>::quiet_NaN()}}));
  EXPECT_FALSE(event_of({"/go"}));
  EXPECT_FALSE(event_of({"/knob/heat", {0.5F}}));
  EXPECT_FALSE(event_of({"/1/fader*", {0.5F}})) << "a pattern";
  EXPECT_FALSE(event_of({"/" + std::string(300, 'x'), {0.5F}}));
}

TEST(SurfaceControls, AreWrittenForFilesAndForPeople) {
  const SurfaceControl fader = MidiControl{MidiControl::Kind::cc, 1, 7};
  EXPECT_EQ(to_string(fader), "cc 7");
  EXPECT_EQ(words_of(fader, "nano"), "cc 7 of nano");
  EXPECT_EQ(words_of(KeyControl{"Shift+A"}, kKeyboard), "the key Shift+A");
  EXPECT_EQ(words_of(OscControl{"/1/fader3"}, kOscPrograms), "OSC's /1/fader3");
}

TEST(SurfaceControls, SayWhatIsWrongWithATextThatIsNone) {
  const auto key = parse_key_control("");
  ASSERT_FALSE(key);
  EXPECT_THAT(key.error().message, HasSubstr("is no key"));
  const auto word = parse_osc_control("fader3");
  ASSERT_FALSE(word);
  EXPECT_THAT(word.error().message, HasSubstr("it looks like \"/1/fader3\""));
  const auto own = parse_osc_control("/knob/heat");
  ASSERT_FALSE(own);
  EXPECT_THAT(own.error().message, HasSubstr("Submix's own"));
}

}  // namespace
}  // namespace submix::input
