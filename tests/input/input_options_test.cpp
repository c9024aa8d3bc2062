// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/input_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::input {
namespace {

using ::testing::HasSubstr;

TEST(InputOptions, LeaveTheSettingsAsTheyAreUnlessTold) {
  const auto options = input_options({});
  ASSERT_TRUE(options);
  EXPECT_FALSE(options->is_osc_on || options->osc_port || options->osc_host ||
               options->is_midi_on || options->is_link_on || options->is_music_followed);
  EXPECT_FALSE(options->file.empty());
}

TEST(InputOptions, AreWhatWasTyped) {
  const auto options = input_options({"9001", "0.0.0.0", {"198.18.0.9:9000"}, false, true, true});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->is_osc_on, true);
  EXPECT_EQ(options->osc_port, 9001);
  EXPECT_EQ(options->osc_host, "0.0.0.0");
  EXPECT_EQ(options->osc_receivers, (std::vector<OscPeer>{{"198.18.0.9", 9000}}));
  EXPECT_EQ(options->is_midi_on, false);
  EXPECT_EQ(options->is_link_on, true);
  EXPECT_EQ(options->is_music_followed, true);
  EXPECT_EQ(input_options({.osc = "off"})->is_osc_on, false);
}

TEST(InputOptions, TurnOscOnForWhoSaysWhereItListensOrWhomItTells) {
  EXPECT_EQ(input_options({.osc_bind = "0.0.0.0"})->is_osc_on, true);
  EXPECT_EQ(input_options({.osc_to = {"198.18.0.9:9000"}})->is_osc_on, true);
  EXPECT_EQ(input_options({.osc = "off", .osc_bind = "0.0.0.0"})->is_osc_on, false);
}

TEST(InputOptions, SayWhatIsWrong) {
  for (const auto* port : {"x", "-1", "65536", "77 70", "7770x"})
    EXPECT_THAT(input_options({.osc = port}).error().message, HasSubstr(port));
  EXPECT_THAT(input_options({"", "", {"nowhere"}}).error().message,
              HasSubstr("--osc-to: \"nowhere\""));
}

}  // namespace
}  // namespace submix::input
