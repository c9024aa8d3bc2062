// SPDX-License-Identifier: GPL-3.0-or-later
// The window with real nodes: actions in the window change the running show, and ended processes
// are noticed.
#include "tests/ui/controller_fixture.hpp"

#include <algorithm>
#include <csignal>

namespace submix::ui {
namespace {

constexpr int kInOutputNames =
    470;  // columns of pixels in the patch bay's outputs and inputs, beside their names

class RealNodesTest : public ControllerWithNodesTest {
 protected:
  void kill_node(std::size_t index) { processes_.at(index).send_signal(SIGKILL); }
  /// The handle of a slider in the patch of "left", which rack1 runs.
  [[nodiscard]] std::optional<Point> slider() const {
    const auto grabs = areas_below_any(desktop_->screenshot(), kPatchFrom, color::kAccent, 15);
    return grabs.empty() ? std::nullopt : std::optional(grabs.back());
  }
  /// In the lowest panel of the page Patch, without the cables and the chosen slot's frame.
  [[nodiscard]] std::size_t colored_pixels_of_graph() const {
    constexpr int kTop = 790;
    const auto image = desktop_->screenshot();
    return count_pixels(image, {0, kTop}, {image.size.width, image.size.height - kTop},
                        [](const std::uint8_t* rgb) {
                          const auto [least, greatest] = std::minmax({rgb[0], rgb[1], rgb[2]});
                          const auto color = IM_COL32(rgb[0], rgb[1], rgb[2], 255);
                          return greatest - least > 60 && color != color::kAccent;
                        });
  }
  [[nodiscard]] bool flows_on() {
    const auto before = frames_of("mix");
    return until([&] { return frames_of("mix") > before + 30; });
  }
  [[nodiscard]] show::InputPolicy policy() const {
    const auto show = show_now();
    return show.streams.empty() ? show::InputPolicy::wait : show.streams[0].policy;
  }
};

TEST_F(RealNodesTest, ShowThePictureOfEachEdgeOfAPatch) {
  start_all({"--page", "patch"});
  EXPECT_TRUE(until([&] { return colored_pixels_of_graph() > 5000; })) << colored_pixels_of_graph();
  EXPECT_EQ(late_frames_of("mix"), 0U);
}

TEST_F(RealNodesTest, ShowANodeThatWasKilled) {
  start_all();
  desktop_->move(kNowhere);
  const auto before = pixels(color::kBad);
  kill_node(0);
  EXPECT_TRUE(until([&] { return pixels(color::kBad) > before + 100; })) << pixels(color::kBad);
  EXPECT_FALSE(controller_->exit_status());
}

TEST_F(RealNodesTest, KeepAParameterThatIsDraggedWhileItsNodeVanishes) {
  start_all();
  desktop_->move(kNowhere);
  ASSERT_TRUE(until([&] { return slider().has_value(); })) << "no slider";
  const auto grab = *slider();
  const auto before = pixels(color::kBad);
  desktop_->hold(grab);
  desktop_->move({grab.x - 20, grab.y});
  kill_node(0);
  EXPECT_TRUE(until([&] { return pixels(color::kBad) > before + 100; }))
      << "the node is not missed";
  desktop_->move({grab.x - 40, grab.y});
  desktop_->release();
  ASSERT_TRUE(until([&] { return show_now().submixes.at(0) != show_.submixes.at(0); }))
      << "nothing is set";
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return show_now().submixes.at(0) == show_.submixes.at(0); }))
      << "not one step";
  EXPECT_FALSE(controller_->exit_status());
}

TEST_F(RealNodesTest, RunOnWithAParameterThatIsDragged) {
  start_all();
  desktop_->move(kNowhere);
  ASSERT_TRUE(until([&] { return slider().has_value(); })) << "no slider";
  const auto grab = *slider();
  desktop_->drag(grab, {grab.x - 40, grab.y});
  EXPECT_TRUE(until([&] { return show_now().submixes.at(0) != show_.submixes.at(0); }));
  EXPECT_TRUE(flows_on());
}

TEST_F(RealNodesTest, ChangeAPolicyWhileFramesFlowAndUndoIt) {
  start_all();
  desktop_->move(kNowhere);
  ASSERT_NO_FATAL_FAILURE(choose_below_in_stream_menu(StreamMenuPart::policy));
  EXPECT_TRUE(until([&] { return policy() == show::InputPolicy::hold; }));
  EXPECT_TRUE(flows_on());
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return policy() == show::InputPolicy::wait; }));
  EXPECT_TRUE(flows_on());
}

}  // namespace
}  // namespace submix::ui
