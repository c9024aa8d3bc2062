// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/outputs.hpp"

#include "common/show/validate.hpp"
#include "tests/model/edited.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace submix::model {
namespace {

using ::testing::HasSubstr;

class OutputsTest : public ::testing::Test {
 protected:
  OutputsTest() {
    for (const auto& [id, kind] : {std::pair("pattern", "source"), std::pair("window", "output"),
                                   std::pair("record", "output")}) {
      plugins_[id].id = id;
      plugins_[id].kind = kind;
    }
    show_.name = "one";
    show_.size = {64, 48};
    show_.submixes = {
        {"mix", "", {{"pattern", "pattern", {}, {}, false}, {"window", "window", {}, {}, false}}}};
  }
  void make(const Result<Edit>& edit) {
    ASSERT_TRUE(edit) << edit.error().message;
    ASSERT_TRUE(apply(show_, *edit));
    EXPECT_EQ(to_string(show::validate(show_)), "");
  }
  void cover(bool is_on) { make(set_fullscreen(show_, plugins_, "mix", is_on)); }
  [[nodiscard]] bool covers(const char* window) const {
    const auto& parameters = show_.find_slot({"mix", window})->parameters;
    const auto stated = parameters.find("fullscreen");
    return stated != parameters.end() && stated->second == show::ParameterValue(true);
  }
  void record(bool is_on) { make(set_recording(show_, plugins_, "mix", is_on)); }

  PluginMap plugins_;
  show::Show show_;
};

TEST_F(OutputsTest, CoverTheirScreensAllAtOnce) {
  show_.submixes[0].slots.push_back({"second", "window", {}, {}, false});
  EXPECT_FALSE(covers("window"));
  cover(true);
  EXPECT_TRUE(covers("window"));
  EXPECT_TRUE(covers("second"));
  cover(false);
  EXPECT_FALSE(covers("window"));
  EXPECT_FALSE(covers("second"));
}

TEST_F(OutputsTest, CoverTheirScreensOneByOne) {
  show_.submixes[0].slots.push_back({"second", "window", {}, {}, false});
  make(set_fullscreen({{"mix", "second"}}, true));
  EXPECT_FALSE(covers("window"));
  EXPECT_TRUE(covers("second"));
}

TEST_F(OutputsTest, GoToADisplayByItsNameInOneStep) {
  make(put_on_display({"mix", "window"}, "EPSON PJ", 1));
  const auto parameters = show_.find_slot({"mix", "window"})->parameters;
  EXPECT_EQ(parameters.at("screen"), show::ParameterValue(std::string("EPSON PJ")));
  EXPECT_EQ(parameters.at("display"), show::ParameterValue(1.0));
  const auto edit = put_on_display({"mix", "window"}, "EPSON PJ", 1);
  EXPECT_EQ(title(edit), "mix.window on EPSON PJ");
  EXPECT_FALSE(is_structural(edit)) << "so it works in the perform mode, too";
}

TEST_F(OutputsTest, GetAWindowForFullScreenAtTheEndOfTheMix) {
  show_.submixes[0].slots.pop_back();
  cover(true);
  ASSERT_EQ(show_.submixes[0].slots.size(), 2U);
  EXPECT_EQ(show_.submixes[0].slots[1].plugin, kWindowPlugin);
  EXPECT_TRUE(covers("window"));
  cover(false);
  EXPECT_EQ(show_.submixes[0].slots.size(), 2U) << "one window is enough";
  EXPECT_FALSE(covers("window"));
}

TEST_F(OutputsTest, SayWhyNothingCanBeShown) {
  show_.submixes[0].slots.clear();
  const auto empty = set_fullscreen(show_, plugins_, "mix", true);
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().message, HasSubstr("no picture to show"));
  show_.submixes[0].slots = {{"pattern", "pattern", {}, {}, false}};
  plugins_.erase("window");
  const auto headless = set_fullscreen(show_, plugins_, "mix", true);
  ASSERT_FALSE(headless) << "its PC has no such plugin";
  EXPECT_THAT(headless.error().message, HasSubstr("window"));
}

TEST_F(OutputsTest, GetARecorderBesideTheWindowAndSwitchItFromThenOn) {
  EXPECT_FALSE(is_recording(show_));
  EXPECT_FALSE(set_recording(show_, plugins_, "mix", false)) << "there is no recorder yet";
  record(true);
  ASSERT_EQ(show_.submixes[0].slots.size(), 3U);
  EXPECT_TRUE(is_recording(show_));
  record(false);
  EXPECT_FALSE(is_recording(show_));
  record(true);
  EXPECT_TRUE(is_recording(show_));
  EXPECT_EQ(show_.submixes[0].slots.size(), 3U) << "one recorder is enough";
  const auto again = set_recording(show_, plugins_, "mix", false);
  ASSERT_TRUE(again);
  EXPECT_FALSE(is_structural(*again)) << "so it works in the perform mode, too";
}

TEST_F(OutputsTest, AreSwitchedToRecordByAnEditOfTheSwitchAlone) {
  const auto first = set_recording(show_, plugins_, "mix", true);
  ASSERT_TRUE(first);
  EXPECT_FALSE(is_recording_switch(show_, *first)) << "it adds a recorder";
  record(true);
  const auto stop = set_recording(show_, plugins_, "mix", false);
  ASSERT_TRUE(stop);
  EXPECT_TRUE(is_recording_switch(show_, *stop));
  EXPECT_FALSE(is_recording_switch(show_, SetParameter{{"mix", "record"}, "codec", "h264"}));
  EXPECT_FALSE(is_recording_switch(show_, SetParameter{{"mix", "window"}, "recording", true}));
  EXPECT_FALSE(is_recording_switch(show_, EditGroup{}));
}

TEST_F(OutputsTest, NameTheirFilmsAfterTheShowAndTheTime) {
  const auto file_for = [this](const std::string& name) {
    auto show = show_;
    show.name = name;
    EXPECT_TRUE(model::apply(show, set_recording(show, plugins_, "mix", true).value()));
    return show.find_slot({"mix", "record"})->parameters["file"];
  };
  EXPECT_EQ(file_for("late show"), show::ParameterValue("late show-{time}.mkv"));
  EXPECT_EQ(file_for("../a/b"), show::ParameterValue("-.-a-b-{time}.mkv")) << "in no other folder";
}

TEST_F(OutputsTest, SayWhyNothingCanBeRecorded) {
  show_.submixes[0].slots.clear();
  const auto empty = set_recording(show_, plugins_, "mix", true);
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().message, HasSubstr("no picture to record"));
  const auto nobody = set_recording(show_, plugins_, "nobody", true);
  ASSERT_FALSE(nobody);
  EXPECT_THAT(nobody.error().message, HasSubstr("nobody"));
}

}  // namespace
}  // namespace submix::model
