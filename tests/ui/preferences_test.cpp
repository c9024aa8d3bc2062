// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/preferences.hpp"

#include "common/base/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::ui {
namespace {

using ::testing::HasSubstr;

class PreferencesTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "new" / "controller.toml";
};

TEST_F(PreferencesTest, AreTheUsualOnesBeforeTheFirstWindowIsClosed) {
  EXPECT_EQ(read_preferences(file_).value(), Preferences());
}

TEST_F(PreferencesTest, ComeBackAsTheyWereWritten) {
  const Preferences left{Theme::light,
                         1.75,
                         "overview",
                         Size{1920, 1080},
                         {"/shows/duo.toml", "/shows/solo.toml"},
                         {{"overview-left", 0.25F}, {"patch-slots", 0.5F}},
                         {"frei0r/glow", "transform"},
                         {{"cues", false, false, 0, 0, {420, 560}, false},
                          {"wall", true, true, -1920, 40, {1280, 720}, true}},
                         true};
  ASSERT_TRUE(write_preferences(file_, left));
  EXPECT_EQ(read_preferences(file_).value(), left);
}

TEST_F(PreferencesTest, OutOfRangeAreBroughtIntoIt) {
  std::filesystem::create_directories(file_.parent_path());
  ASSERT_TRUE(write_file_atomically(
      file_, "scale = 1e9\nwidth = -3\nheight = 99999999999\ntheme = 7\nnew = 1\n"));
  const auto read = read_preferences(file_).value();
  EXPECT_EQ(read.scale, 3.0);
  EXPECT_EQ(read.size, (Size{320, 8192}));
  EXPECT_EQ(read.theme, Theme::dark);
}

TEST_F(PreferencesTest, HideNoPanelBehindALineThatIsNowhere) {
  std::filesystem::create_directories(file_.parent_path());
  ASSERT_TRUE(write_file_atomically(
      file_, "[dividers]\na = -7\nb = 1e300\nc = nan\nd = \"half\"\ne = inf\nf = 0.5\ng = [1]\n"));
  const auto read = read_preferences(file_).value().dividers;
  const std::map<std::string, float, std::less<>> expected{
      {"a", 0.05F}, {"b", 0.95F}, {"e", 0.95F}, {"f", 0.5F}};
  EXPECT_EQ(read, expected);
}

TEST_F(PreferencesTest, ThatAreBrokenAreSaidWithFileAndLineAndLeftAlone) {
  std::filesystem::create_directories(file_.parent_path());
  ASSERT_TRUE(write_file_atomically(file_, "theme = \"light\"\nscale = = 2\n"));
  const auto read = read_preferences(file_);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("controller.toml, line 2"));
  EXPECT_EQ(read_text_file(file_).value(), "theme = \"light\"\nscale = = 2\n");
}

}  // namespace
}  // namespace submix::ui
