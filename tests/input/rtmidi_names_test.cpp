// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/rtmidi_ports.hpp"

#include "controller/input/port_news.hpp"

#include <gtest/gtest.h>

namespace submix::input {
namespace {

using Names = std::vector<std::string>;

TEST(MidiNames, AreTheSameWhenADeviceIsPluggedInAgain) {
  EXPECT_EQ(
      lasting_names({"nano:nano CTRL 20:0", "system:midi_capture_1", "knobs:out", "a 1:x", "12:3"}),
      (Names{"nano:nano CTRL", "system:midi_capture_1", "knobs:out", "a 1:x", "12:3"}));
}

TEST(MidiNames, TellTwoDevicesOfOneKindApart) {
  EXPECT_EQ(lasting_names({"nano:CTRL 20:0", "nano:CTRL 24:0"}),
            (Names{"nano:CTRL", "nano:CTRL #2"}));
}

TEST(MidiNames, LeadBackToTheDeviceThatSends) {
  const Names outputs{"other:in", "nano:CTRL", "system:midi_playback_2", "knobs:in"};
  EXPECT_EQ(find_way_back("nano:CTRL", outputs), 1U);
  EXPECT_EQ(find_way_back("system:midi_capture_2", outputs), 2U);
  EXPECT_EQ(find_way_back("system:midi_capture_1", outputs), outputs.size());
  EXPECT_EQ(find_way_back("knobs:out", outputs), 3U);
  EXPECT_EQ(find_way_back("keys", outputs), outputs.size());
  EXPECT_EQ(find_way_back("keys:out", {"keys-1:in", "keys-01:in"}), 1U)
      << "a program's second connection";
}

TEST(MidiNames, AreSpokenOfByTheirNumber) {
  EXPECT_TRUE(is_news_of("nano:CTRL 20:0", "20:0"));
  EXPECT_FALSE(is_news_of("nano:CTRL 120:0", "20:0"));
  EXPECT_TRUE(is_news_of("knobs:out", "knobs:out"));
  EXPECT_FALSE(is_news_of("my knobs:out 1:0", "knobs:out"));
}

}  // namespace
}  // namespace submix::input
