// SPDX-License-Identifier: GPL-3.0-or-later
// Long actions in the real window: the window shows them, and a mouse press cancels them.
#include "tests/ui/controller_fixture.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>

namespace submix::ui {
namespace {

constexpr int kBesideWords = 372;  // a column of pixels in the margin of the button

class ProgressWindowTest : public ControllerTest {
 protected:
  [[nodiscard]] std::optional<Point> cancel_button() const {
    const auto areas =
        areas_below(desktop_->screenshot(), kBesideWords, color::kTrack, kButtonHeightMin);
    const auto found =
        std::ranges::find_if(areas, [](const Point& at) { return at.y > kScreen.height * 3 / 4; });
    return found == areas.end() ? std::nullopt : std::optional(*found);
  }
};

TEST_F(ProgressWindowTest, GivesUpAFileThatTakesLongToRead) {
  auto other = show_;
  other.name = "other";
  const auto slow = folder_ / "slow.toml";
  ASSERT_EQ(::mkfifo(slow.c_str(), 0600), 0);
  start_all();
  desktop_->move(kNowhere);
  EXPECT_FALSE(cancel_button()) << "nothing goes on";
  desktop_->press("ctrl+o");
  desktop_->type(slow.string());
  desktop_->press("Return");
  std::optional<Point> button;
  EXPECT_TRUE(until([&] { return (button = cancel_button()).has_value(); })) << "it is not said";
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "ProgressWindowTest.Opening.png");
  if (button) desktop_->click(*button);
  EXPECT_TRUE(until([&] { return !cancel_button(); })) << "it goes on";
  std::ofstream(slow) << show::to_toml(other);  // ends the read
  desktop_->press("ctrl+space");
  EXPECT_TRUE(until([&] { return transport().is_paused; }));
  EXPECT_EQ(show_now(), show_) << "it was opened all the same";
}

// It lay on the master and its button Out.
TEST_F(ProgressWindowTest, CoversNoFaderOnThePagePerform) {
  constexpr Point kAboveLayers{0, 620};
  constexpr Size kRoom{460, 90};
  const auto card = [&] {
    return count_pixels(desktop_->screenshot(), kAboveLayers, kRoom, [](const std::uint8_t* rgb) {
      return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color::kCard;
    });
  };
  const auto slow = folder_ / "slow.toml";
  ASSERT_EQ(::mkfifo(slow.c_str(), 0600), 0);
  start_simulated({"--page", "perform"});
  ASSERT_TRUE(until([&] { return pixels(color::kGood) > 40; })) << "no state of a layer";
  EXPECT_LT(card(), 100U);
  desktop_->press("ctrl+o");
  desktop_->type(slow.string());
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return card() > 8000; })) << card();
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "ProgressWindowTest.Perform.png");
  std::ofstream(slow) << show::to_toml(show_);  // ends the read
}

TEST_F(ProgressWindowTest, QuitsWhereNatsDoesNotAnswer) {
  start_nats();
  const auto url = nats_->url();
  nats_.reset();  // frees its port
  start_controller(url);
  std::optional<Point> button;
  ASSERT_TRUE(until([&] { return (button = cancel_button()).has_value(); })) << "it is not said";
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "ProgressWindowTest.Connecting.png");
  desktop_->click(*button);
  EXPECT_TRUE(until([&] { return controller_->exit_status().has_value(); })) << "it goes on";
}

}  // namespace
}  // namespace submix::ui
