// SPDX-License-Identifier: GPL-3.0-or-later
// The page Perform by fingers: SDL's touch events in the real window, with real nodes.
#include "controller/model/edit/new_show.hpp"
#include "tests/ui/controller_fixture.hpp"
#include "tests/ui/fingers.hpp"

namespace submix::ui {
namespace {

// Where things are in a window of 1440x900, with controls for fingers.
constexpr Point kBelowCues{1250, 205};
constexpr Point kCrossfaderLeft{920, 679};
constexpr Point kCrossfaderRight{1040, 679};
constexpr Point kSideBForTheMouse{1104, 730};
constexpr int kInBlackOut = 392;  // a column of pixels beside its word

class TouchTest : public ControllerWithNodesTest {
 protected:
  TouchTest() {
    show_ = model::make_show(
        {.size = {320, 176}, .nodes = {"rack1", "rack2", "desk"}, .has_window = false});
  }

  void start() {
    is_touched_ = true;
    start_show({"--page", "perform"});
    fingers_.tap(kBelowCues);
    ASSERT_TRUE(until([&] { return black_out_height() >= 44; })) << "controls grow for fingers";
  }
  [[nodiscard]] int black_out_height() const {
    const auto is_track = [](const std::uint8_t* rgb) {
      return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color::kTrack;
    };
    return static_cast<int>(
        count_pixels(desktop_->screenshot(), {kInBlackOut, 0}, {1, 60}, is_track));
  }
  [[nodiscard]] double crossfade() const {
    const auto show = show_now();
    const auto* mixer = show.find_slot({"mix", "mixer"});
    if (mixer == nullptr) return -1;
    const auto found = mixer->parameters.find("crossfade");
    return found == mixer->parameters.end() ? -1 : std::get<double>(found->second);
  }

  const Fingers fingers_{folder_ / "touches", kScreen};
};

TEST_F(TouchTest, HitsWhatItSawByTheFirstTapAndThenTheControlsGrow) {
  is_touched_ = true;
  start_show({"--page", "perform"});
  fingers_.tap(kSideBForTheMouse);
  EXPECT_TRUE(until([&] { return crossfade() == 1; })) << crossfade();
  EXPECT_TRUE(until([&] { return black_out_height() >= 44; }));
}

TEST_F(TouchTest, DragsAFaderByAFinger) {
  start();
  fingers_.drag(kCrossfaderLeft, kCrossfaderRight);
  EXPECT_TRUE(until([&] { return crossfade() > 0.6; })) << crossfade();
  const double before = crossfade();
  fingers_.drag(kCrossfaderRight, kCrossfaderLeft);
  EXPECT_TRUE(until([&] { return crossfade() < before - 0.2; })) << crossfade();
}

TEST_F(TouchTest, OpensAFadersMenuByALongPressAndLeavesItsValue) {
  start();
  fingers_.drag(kCrossfaderLeft, kCrossfaderRight);
  ASSERT_TRUE(until([&] { return crossfade() > 0.6; })) << crossfade();
  const double before = crossfade();
  // Buttons and sliders. The menu covers 21,000 pixels of them; a slider under a finger has
  // another colour on 13,000 at most.
  const auto controls = [&] { return pixels(color::kTrack) + pixels(color::kLit); };
  const auto calm = controls();
  const auto has_menu = [&] { return controls() + 17'000 < calm; };
  fingers_.down(kCrossfaderLeft);
  EXPECT_TRUE(until(has_menu));
  fingers_.up(kCrossfaderLeft);
  std::this_thread::sleep_for(500ms);
  EXPECT_EQ(crossfade(), before);
  EXPECT_TRUE(has_menu()) << "it stays";
}

TEST_F(TouchTest, GivesTheControlsBackTheirSizeForTheMouse) {
  start();
  std::this_thread::sleep_for(600ms);
  desktop_->move({700, 400});
  desktop_->move({710, 410});
  EXPECT_TRUE(until([&] { return black_out_height() < 40; }));
}

}  // namespace
}  // namespace submix::ui
