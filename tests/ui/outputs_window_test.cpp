// SPDX-License-Identifier: GPL-3.0-or-later
// Outputs and their displays on the page Perform, with simulated and real nodes.
#include "tests/ui/controller_fixture.hpp"

#include <cmath>
#include <cstdint>

namespace submix::ui {
namespace {

const show::Port kOutput{"mix", "screen"};

// Where things are in a window of 1440x900, in the line below the programme.
constexpr Point kDisplay{430, 725};
constexpr Point kSecondInItsList{430, 796};
constexpr Point kFullScreen{626, 725};
constexpr Point kIdentify{1086, 725};

// In the words of the choice of the display.
bool has_warning_beside_display(const media::Rgb24Image& image) {
  const ImVec4 wanted = ImGui::ColorConvertU32ToFloat4(color::kWarning);
  const auto is_near = [](float part, std::uint8_t byte) {
    return std::abs(part * 255 - static_cast<float>(byte)) < 8;
  };
  int count = 0;
  for (int y = kDisplay.y - 10; y < kDisplay.y + 10; ++y) {
    for (int x = kDisplay.x - 145; x < kDisplay.x + 100; ++x) {
      const auto at = static_cast<std::size_t>(y * image.size.width + x) * 3;
      if (at + 2 >= image.pixels.size()) return false;
      const auto* rgb = image.pixels.data() + at;
      if (is_near(wanted.x, rgb[0]) && is_near(wanted.y, rgb[1]) && is_near(wanted.z, rgb[2]))
        ++count;
    }
  }
  return count > 20;
}

class OutputsWindowTest : public ControllerTest {
 protected:
  OutputsWindowTest() {
    show_.cues = {{"calm", "", 0, {}, {show::CueParameter{{"left", "glow"}, "Blur", 0.125}}}};
  }
  [[nodiscard]] show::Parameters parameters() const {
    const auto show = show_now();
    const auto* slot = show.find_slot(kOutput);
    return slot == nullptr ? show::Parameters() : slot->parameters;
  }
  [[nodiscard]] bool becomes(const char* parameter, const show::ParameterValue& value) const {
    return until([&] { return parameters()[parameter] == value; });
  }
};

TEST_F(OutputsWindowTest, GoesToADisplayThatIsChosenByName) {
  start_all({"--page", "perform"});
  EXPECT_FALSE(has_warning_beside_display(desktop_->screenshot()));
  desktop_->click(kDisplay);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kSecondInItsList);
  ASSERT_TRUE(becomes("screen", std::string("EPSON PJ")));
  EXPECT_EQ(parameters()["display"], show::ParameterValue(1.0));
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return parameters().empty(); })) << "one step takes both back";
}

TEST_F(OutputsWindowTest, CoversItsDisplayAlsoInThePerformMode) {
  start_all({"--page", "perform"});
  desktop_->press("ctrl+e");
  std::this_thread::sleep_for(500ms);
  desktop_->click(kFullScreen);
  EXPECT_TRUE(becomes("fullscreen", true));
  desktop_->click(kFullScreen);
  EXPECT_TRUE(becomes("fullscreen", false));
  desktop_->click(kIdentify);  // which is not there now
  std::this_thread::sleep_for(1s);
  EXPECT_FALSE(transport().has_test_cards) << "an audience would see them";
}

TEST_F(OutputsWindowTest, ShowsTestCardsAndPicturesAgain) {
  start_all({"--page", "perform"});
  desktop_->click(kIdentify);
  EXPECT_TRUE(until([&] { return transport().has_test_cards; }));
  desktop_->click(kIdentify);
  EXPECT_TRUE(until([&] { return !transport().has_test_cards; }));
}

TEST_F(OutputsWindowTest, MarksADisplayThatIsMissing) {
  show_.find_slot(kOutput)->parameters["screen"] = std::string("BenQ");
  start_all({"--page", "perform"});
  EXPECT_TRUE(until([&] { return has_warning_beside_display(desktop_->screenshot()); }));
  desktop_->click(kDisplay);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kSecondInItsList);
  EXPECT_TRUE(becomes("screen", std::string("EPSON PJ")));
}

TEST_F(OutputsWindowTest, StaysWithParametersOfAnyKind) {
  show_.find_slot(kOutput)->parameters = {
      {"screen", 7.0}, {"display", std::string("left")}, {"fullscreen", -1.0}};
  start_simulated({"--page", "perform"});
  std::this_thread::sleep_for(4s);
  EXPECT_FALSE(controller_->exit_status())
      << "the window has ended: " << read_text_file(folder_ / "log").value_or("");
}

TEST_F(ControllerWithNodesTest, SaysWhyTheFolderOfAFilmDoesNotOpen) {
  constexpr int kNotices = 675;
  start_all();
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder_.path().c_str(), 1);  // without xdg-open
  start_controller(nats_->url(), {"--page", "perform"});
  ::setenv("PATH", path.c_str(), 1);
  const auto words_in_notices = [&](ImU32 color) {
    return count_pixels(
        desktop_->screenshot(), {0, kNotices}, {kScreen.width, 225},
        [&](const std::uint8_t* rgb) { return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color; });
  };
  ASSERT_TRUE(until([&] { return pixels(color::kGood) > 40; }));
  desktop_->press("ctrl+r");
  ASSERT_TRUE(until([&] { return show_now().find_slot({"mix", "record"}) != nullptr; }));
  std::this_thread::sleep_for(1s);  // some frames
  desktop_->press("ctrl+r");
  std::this_thread::sleep_for(1s);
  ASSERT_EQ(words_in_notices(color::kWarning), 0U);
  EXPECT_TRUE(repeat_until([&] { press_open_folder(*desktop_); },
                           [&] { return words_in_notices(color::kWarning) > 20; }));
}

/// A show whose recorder names a folder that is none.
class BrokenRecorderTest : public ControllerWithNodesTest {
 protected:
  BrokenRecorderTest() {
    auto recorder = model::sample::slot("record", "record");
    recorder.parameters["file"] = std::string("full/mix.mkv");
    show_.submixes[0].slots = {model::sample::slot("pattern", "pattern"),
                               model::sample::slot("out", "stream-out")};
    show_.submixes[1].slots = {model::sample::slot("left", "stream-in"), recorder};
    show_.size = {320, 240};
  }
  void start_with(const std::vector<std::string>& options) {
    ASSERT_TRUE(write_file_atomically(folder_ / "full", "no folder"));
    start_show(options);
  }
  [[nodiscard]] std::size_t pixels_in(Point left_top, Size size, ImU32 color) const {
    return count_pixels(desktop_->screenshot(), left_top, size, [&](const std::uint8_t* rgb) {
      return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color;
    });
  }
};

TEST_F(BrokenRecorderTest, MakesRecAmber) {
  constexpr Size kBar{900, 42};
  start_with({});
  EXPECT_TRUE(until([&] { return pixels_in({}, kBar, color::kWarning) > 500; }));
  EXPECT_EQ(pixels_in({}, kBar, color::kBad), 0U) << "as if a film grew";
}

TEST_F(BrokenRecorderTest, IsExplainedToTheEndByItsAlert) {
  constexpr Point kSecondLineOfCause{340, 312};
  constexpr Point kBelowTheBadge{36, 312};
  constexpr Size kLine{300, 24};
  start_with({"--page", "alerts", "--scale", "2"});
  EXPECT_TRUE(until([&] { return pixels_in(kSecondLineOfCause, kLine, color::kText) > 30; }));
  EXPECT_EQ(pixels_in(kBelowTheBadge, {60, 24}, color::kBad), 0U) << "another alert";
}

TEST_F(ControllerWithNodesTest, NodesWithoutAWindowReportTheirDisplays) {
  start_all();
  Mutex mutex;
  std::map<std::string, std::vector<Display>> displays;
  const auto watching = cluster_->watch_reports([&](const cluster::NodeReport& report) {
    MutexLock lock(mutex);
    displays[report.node] = report.displays;
  });
  const auto known = [&] {
    MutexLock lock(mutex);
    return displays["rack1"].size() == 1 && displays["rack2"].size() == 1;
  };
  ASSERT_TRUE(until(known));
  MutexLock lock(mutex);
  EXPECT_EQ(displays["rack1"][0].size, kScreen);
  EXPECT_NE(displays["rack1"][0].name, "");
}

}  // namespace
}  // namespace submix::ui
