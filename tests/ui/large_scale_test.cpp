// SPDX-License-Identifier: GPL-3.0-or-later
// A window at twice the usual scale.
#include "tests/ui/controller_fixture.hpp"

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

}  // namespace
}  // namespace submix::ui
