// SPDX-License-Identifier: GPL-3.0-or-later
// A window at twice the usual scale.
#include "tests/ui/controller_fixture.hpp"
#include "tests/ui/fingers.hpp"

namespace submix::ui {
namespace {

constexpr int kScrollBarWidth = 18;  // beyond all panels

class LargeScaleTest : public ControllerTest {
 protected:
  LargeScaleTest() {
    screen_ = {1920, 1200};
    show_.cues = {{"calm", "", 0, {}, {show::CueParameter{{"left", "glow"}, "Blur", 0.125}}}};
  }
  /// Pixels of scroll bars at the right and lower edges of the window.
  [[nodiscard]] std::size_t pixels_of_outer_bars() const {
    const auto image = desktop_->screenshot();
    const auto is_bar = [](const std::uint8_t* rgb) {
      return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color::kBorder;
    };
    const auto [width, height] = screen_;
    return count_pixels(image, {width - kScrollBarWidth, 0}, {kScrollBarWidth, height}, is_bar) +
           count_pixels(image, {0, height - kScrollBarWidth}, {width, kScrollBarWidth}, is_bar);
  }
  /// Upright scroll bars below the programme and left of the mixer.
  [[nodiscard]] std::size_t bars_in_layers() const {
    constexpr int kBarHeightMin = 40;
    constexpr int kLayersTop = 880;
    constexpr int kLayersRight = 800;
    const auto image = desktop_->screenshot();
    std::size_t count = 0;
    for (int x = 20; x < kLayersRight; ++x) {
      for (const auto& bar : areas_below(image, x, color::kBorder, kBarHeightMin))
        count += bar.y > kLayersTop ? 1 : 0;
    }
    return count;
  }
};

TEST_F(LargeScaleTest, HasNoScrollBarAroundThePagePerformNorAroundItsLayers) {
  start_all({"--page", "perform", "--scale", "2"});
  desktop_->move({1000, 20});
  EXPECT_EQ(pixels_of_outer_bars(), 0U);
  EXPECT_EQ(bars_in_layers(), 0U);
}

/// The same without a cue.
class FirstCueTest : public LargeScaleTest {
 protected:
  static constexpr int kBarOfCues = 1893;
  static constexpr int kEndOfCues = 436;

  FirstCueTest() {
    screen_ = {1920, 1080};
    show_.cues.clear();
  }
};

TEST_F(FirstCueTest, IsExplainedBelowGoInWholeWords) {
  start_simulated({"--page", "perform", "--scale", "2"});
  ASSERT_TRUE(until([&] { return pixels(color::kGood) > 300; })) << "no show";
  desktop_->move({1000, 20});
  for (const auto& bar : areas_below(desktop_->screenshot(), kBarOfCues, color::kBorder, 40))
    EXPECT_GT(bar.y, kEndOfCues) << "the words end below the panel";
}

// The lowest window in which all panels of the page Perform stand side by side.
class LowWindowTest : public ControllerTest {
 protected:
  static constexpr Point kOutputs{964, 57};
  static constexpr Point kFullScreen{701, 86};
  static constexpr Point kFirstPicture{56, 630};
  static constexpr Point kEffects{1198, 319};
  static constexpr Point kSwitchOfGlow{1003, 421};
  static constexpr Point kFullScreenForFingers{701, 125};
  static constexpr Point kDisplayForFingers{500, 125};
  static constexpr Point kSecondDisplayForFingers{500, 256};
  static constexpr Size kProgramme{960, 514};  // with black at both sides

  LowWindowTest() {
    screen_ = {1280, 720};
    show_.cues = {{"calm", "", 0, {}, {show::CueParameter{{"left", "glow"}, "Blur", 0.125}}}};
  }
  void start_low() {
    start_simulated({"--page", "perform"});
    ASSERT_TRUE(until([&] { return pixels(color::kGood) > 40; })) << "no state of a layer";
  }
  [[nodiscard]] std::size_t pixels_of_programme() const {
    const auto is_lit = [](const std::uint8_t* rgb) { return rgb[0] + rgb[1] + rgb[2] > 0; };
    return count_pixels(desktop_->screenshot(), {8, 78}, kProgramme, is_lit);
  }
};

TEST_F(LowWindowTest, IsHalfProgrammeAndHasItsOutputsBehindAButton) {
  start_simulated({"--page", "perform"});
  constexpr std::size_t kHalf = 1280 * 720 / 2;
  EXPECT_TRUE(until([&] { return pixels_of_programme() >= kHalf; })) << pixels_of_programme();
  desktop_->click(kOutputs);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kFullScreen);
  const auto is_full_screen = [&] {
    return show_now().find_slot({"mix", "screen"})->parameters["fullscreen"] ==
           show::ParameterValue(true);
  };
  EXPECT_TRUE(until(is_full_screen));
}

TEST_F(LowWindowTest, HasTheEffectsOfALayerWithAClipBehindAButton) {
  start_low();
  const auto is_bypassed = [&] { return show_now().find_slot({"left", "glow"})->is_bypassed; };
  desktop_->click(kFirstPicture);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kEffects);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kSwitchOfGlow);
  EXPECT_TRUE(until(is_bypassed));
}

TEST_F(LowWindowTest, SendsAnOutputToADisplayByFingers) {
  const Fingers fingers(folder_ / "touches", screen_);
  is_touched_ = true;
  start_low();
  const auto output = [&] { return show_now().find_slot({"mix", "screen"})->parameters; };
  fingers.tap(kOutputs);
  fingers.tap(kFullScreenForFingers);
  EXPECT_TRUE(until([&] { return output()["fullscreen"] == show::ParameterValue(true); }));
  fingers.tap(kDisplayForFingers);
  fingers.tap(kSecondDisplayForFingers);
  const show::ParameterValue wanted(std::string("EPSON PJ"));
  EXPECT_TRUE(until([&] { return output()["screen"] == wanted; }));
}

// As small as a window can be at this scale for a person to work in it: 640 x 360 at the usual one.
class SmallWindowTest : public LargeScaleTest {
 protected:
  static constexpr Point kBlackOut{300, 42};
  static constexpr Point kPageList{190, 112};
  static constexpr Point kLayers{92, 272};
  static constexpr Point kCues{92, 352};
  static constexpr Point kGo{360, 320};
  static constexpr std::size_t kPixelsOfWords = 300;  // "connected"

  SmallWindowTest() { screen_ = {1280, 720}; }
  void start_small() {
    start_simulated({"--page", "perform", "--scale", "2"});
    ASSERT_TRUE(until([&] { return pixels(color::kGood) > kPixelsOfWords; })) << "no show";
    desktop_->move({1000, 20});
  }
  [[nodiscard]] double blur() const {
    const auto show = show_now();
    const auto* slot = show.find_slot({"left", "glow"});
    if (slot == nullptr || !slot->parameters.contains("Blur")) return -1;
    return std::get<double>(slot->parameters.at("Blur"));
  }
};

TEST_F(SmallWindowTest, HasOnePanelOfThePagePerformAtATimeAndNoScrollBarAroundIt) {
  start_small();
  EXPECT_EQ(pixels_of_outer_bars(), 0U);
  const auto ground = pixels(color::kPanel);
  desktop_->click(kLayers);
  ASSERT_TRUE(until([&] { return pixels(color::kPanel) > 2 * ground; })) << "no layers";
  EXPECT_EQ(pixels_of_outer_bars(), 0U);
  desktop_->click(kCues);
  std::this_thread::sleep_for(500ms);
  EXPECT_NE(blur(), 0.125);
  desktop_->click(kGo);
  EXPECT_TRUE(until([&] { return blur() == 0.125; })) << "GO is not where it was";
}

TEST_F(SmallWindowTest, KeepsItsBarsWhileAPageScrolls) {
  start_small();
  desktop_->click(kPageList);
  std::this_thread::sleep_for(500ms);
  desktop_->click({kPageList.x, kPageList.y + 92});  // the second of the list
  ASSERT_TRUE(until([&] { return pixels_of_outer_bars() > 0; })) << "no page that scrolls";
  desktop_->turn_wheel({400, 690}, -20);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kBlackOut);
  EXPECT_TRUE(until([&] { return transport().is_black; })) << "the button has scrolled away";
}

}  // namespace
}  // namespace submix::ui
