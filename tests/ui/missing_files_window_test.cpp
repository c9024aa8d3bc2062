// SPDX-License-Identifier: GPL-3.0-or-later
// The question about the missing files of a show, in the real window, with real nodes and clips.
#include "controller/model/edit/new_show.hpp"
#include "tests/ui/controller_fixture.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>

namespace submix::ui {
namespace {

// Where things are in a window of 1440x900, with one missing file.
constexpr Point kOpenButton{495, 495};
constexpr Point kCancelButton{673, 495};

class MissingFilesWindowTest : public ControllerWithNodesTest {
 protected:
  MissingFilesWindowTest() {
    show_ = model::make_show(
        {.size = {320, 176}, .nodes = {"rack1", "rack2", "desk"}, .has_window = false});
  }
  // The folder of the nodes is folder_.
  void make_clip(const std::string& file) const {
    auto ffmpeg = ChildProcess::start({"ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i",
                                       "color=red:size=320x176:rate=30", "-t", "2", folder_ / file},
                                      folder_ / "ffmpeg.log");
    ASSERT_TRUE(ffmpeg) << ffmpeg.error().message;
    ASSERT_TRUE(until([&] { return ffmpeg->exit_status().has_value(); }));
  }
  /// Opens a show whose first performer plays `file`.
  void open_show_with(const std::string& file) {
    start_show({"--page", "perform"});
    auto late = show_;
    late.name = "late";
    late.find_submix("layer-1")->slots[0] = {"clip", "clip", {{"file", file}}, {}, false};
    ASSERT_TRUE(write_file_atomically(folder_ / "late.toml", show::to_toml(late)));
    desktop_->press("ctrl+o");
    std::this_thread::sleep_for(500ms);
    desktop_->type((folder_ / "late.toml").string());
    desktop_->press("Return");
    ASSERT_TRUE(until([&] { return is_asked(); })) << "no question";
  }
  /// By the left margin of the question's button Cancel.
  [[nodiscard]] bool is_asked() const {
    constexpr int kMargin = 60;  // left of the button's middle
    constexpr int kHeightMin = 28;
    const auto buttons =
        areas_below(desktop_->screenshot(), kCancelButton.x - kMargin, color::kTrack, kHeightMin);
    return std::ranges::any_of(buttons, [](const Point& button) {
      return std::abs(button.y - kCancelButton.y) < kHeightMin / 2;
    });
  }
  [[nodiscard]] show::Slot clip() const {
    const auto show = show_now();
    const auto* slot = show.find_slot({"layer-1", "clip"});
    return slot == nullptr ? show::Slot() : *slot;
  }
};

TEST_F(MissingFilesWindowTest, RelinksAFileThatLiesInAnotherFolderAndUndoesTheShow) {
  make_clip("red.mp4");
  ASSERT_NO_FATAL_FAILURE(open_show_with("old/red.mp4"));
  EXPECT_NE(show_now().name, "late") << "nothing changes while the question is open";
  desktop_->click(kOpenButton);
  ASSERT_TRUE(until([&] { return show_now().name == "late"; }));
  EXPECT_EQ(clip().parameters["file"], show::ParameterValue(std::string("red.mp4")));
  const auto before = frames_of("mix");
  EXPECT_TRUE(until([&] { return frames_of("mix") > before + 30; }));
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return show_now().name != "late"; }));
}

TEST_F(MissingFilesWindowTest, OpensAShowWithoutAFileThatIsNowhere) {
  ASSERT_NO_FATAL_FAILURE(open_show_with("nowhere.mp4"));
  desktop_->click(kOpenButton);
  ASSERT_TRUE(until([&] { return show_now().name == "late"; })) << "the nodes refuse it";
  EXPECT_TRUE(clip().is_bypassed);
  const auto before = frames_of("mix");
  EXPECT_TRUE(until([&] { return frames_of("mix") > before + 30; })) << "its layer is black";
}

TEST_F(MissingFilesWindowTest, LeavesTheShowAsItIsOnCancel) {
  ASSERT_NO_FATAL_FAILURE(open_show_with("nowhere.mp4"));
  desktop_->click(kCancelButton);
  std::this_thread::sleep_for(1s);
  desktop_->click(kOpenButton);
  std::this_thread::sleep_for(2s);
  EXPECT_NE(show_now().name, "late");
  EXPECT_FALSE(controller_->exit_status());
}

}  // namespace
}  // namespace submix::ui
