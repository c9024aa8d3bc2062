// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/midi_message.hpp"

#include <gtest/gtest.h>

#include <random>

namespace submix::input {
namespace {

using Kind = MidiControl::Kind;

TEST(MidiMessage, IsReadAsTheSpecificationSays) {
  EXPECT_EQ(decode(MidiBytes{0xb0, 7, 100}), (MidiEvent{{Kind::cc, 1, 7}, 100}));
  EXPECT_EQ(decode(MidiBytes{0x9f, 60, 1}), (MidiEvent{{Kind::note, 16, 60}, 1}));
  EXPECT_EQ(decode(MidiBytes{0x8f, 60, 64}), (MidiEvent{{Kind::note, 16, 60}, 0}));
  EXPECT_EQ(decode(MidiBytes{0xe1, 0x7f, 0x7f}), (MidiEvent{{Kind::bend, 2, 0}, 16383}));
}

TEST(MidiMessage, ControlsNothingWhenItIsCutOffOrNone) {
  for (const auto& bytes :
       {MidiBytes{}, MidiBytes{0xb0}, MidiBytes{0xb0, 7}, MidiBytes{0xb0, 200, 1},
        MidiBytes{0xf0, 1, 2}, MidiBytes{0xc0, 1, 2}, MidiBytes{0xb0, 7, 1, 1}})
    EXPECT_EQ(decode(bytes), std::nullopt);
}

TEST(MidiMessage, OfAnyBytesIsWithinItsLimits) {
  std::mt19937 random(11);
  for (int i = 0; i < 200'000; ++i) {
    MidiBytes bytes(random() % 5);
    for (auto& byte : bytes)
      byte = static_cast<std::uint8_t>(random());
    const auto event = decode(bytes);
    if (!event) continue;
    ASSERT_LE(event->value, value_max(event->control.kind));
    ASSERT_GE(event->value, 0);
    ASSERT_TRUE(event->control.channel >= 1 && event->control.channel <= 16);
  }
}

TEST(MidiMessage, ShowsTheValueThatItIsReadAs) {
  for (const MidiControl control : {MidiControl{Kind::cc, 3, 7}, MidiControl{Kind::note, 1, 60},
                                    MidiControl{Kind::bend, 16, 0}}) {
    for (const int value : {0, 1, value_max(control.kind)}) {
      const auto messages = encode(control, value);
      ASSERT_EQ(messages.size(), 1U);
      EXPECT_EQ(decode(messages[0]), (MidiEvent{control, value}));
    }
  }
  EXPECT_EQ(encode({Kind::cc14, 1, 7}, 0x1234),
            (std::vector<MidiBytes>{{0xb0, 7, 0x24}, {0xb0, 39, 0x34}}));
}

TEST(MidiControl, IsTheSameAfterItWasText) {
  for (const MidiControl control : {MidiControl{Kind::cc, 3, 127}, MidiControl{Kind::cc14, 3, 31},
                                    MidiControl{Kind::note, 3, 0}, MidiControl{Kind::bend, 3, 0}})
    EXPECT_EQ(parse_midi_control(to_string(control), 3), control);
}

TEST(MidiControl, RefusesWhatIsNone) {
  for (const auto* text :
       {"", "cc", "cc ", "cc 128", "cc -1", "cc14 32", "knob 1", "cc 1x", "note"})
    EXPECT_FALSE(parse_midi_control(text, 1)) << text;
  EXPECT_FALSE(parse_midi_control("cc 1", 0));
  EXPECT_FALSE(parse_midi_control("cc 1", 17));
}

}  // namespace
}  // namespace submix::input
