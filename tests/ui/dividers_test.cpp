// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/controller_fixture.hpp"

#include "controller/ui/shell/preferences.hpp"

#include <cmath>
#include <csignal>

namespace submix::ui {
namespace {

constexpr float kUsualNodes = 346;  // 0.24 of the width
constexpr Point kNodesEdge{358, 600};

class DividersTest : public ControllerTest {
 protected:
  [[nodiscard]] std::filesystem::path file() const { return folder_ / "submix/controller.toml"; }
  /// Closes the controller as a person does, and returns the stored dividers.
  [[nodiscard]] std::map<std::string, float, std::less<>> kept() {
    controller_->send_signal(SIGTERM);
    EXPECT_TRUE(until([&] { return controller_->exit_status().has_value(); }));
    return read_preferences(file()).value_or(Preferences()).dividers;
  }
  /// In the gap between two panels the background is visible from top to bottom. Returns the gap's
  /// middle, in the left half.
  [[nodiscard]] int nodes_edge() const {
    const auto image = desktop_->screenshot();
    for (int x = 100; x < kScreen.width * 3 / 4; ++x) {
      if (!areas_below(image, x, color::kBackground, 500).empty()) return x + 4;
    }
    return 0;
  }
};

TEST_F(DividersTest, AreKeptAsTheyWereDraggedAndPutBackByADoubleClick) {
  start_all();
  ASSERT_NEAR(nodes_edge(), kNodesEdge.x, 4);
  desktop_->drag(kNodesEdge, {kNodesEdge.x + 120, kNodesEdge.y});
  EXPECT_TRUE(until([&] { return std::abs(nodes_edge() - kNodesEdge.x - 120) < 6; }))
      << nodes_edge();
  const auto dragged = kept();
  ASSERT_TRUE(dragged.contains("overview-left"));
  EXPECT_NEAR(dragged.at("overview-left"), (kUsualNodes + 120) / 1440, 0.01);

  start_controller(nats_->url());
  ASSERT_TRUE(until([&] { return std::abs(nodes_edge() - kNodesEdge.x - 120) < 6; }))
      << nodes_edge();
  EXPECT_TRUE(double_click_until({kNodesEdge.x + 120, kNodesEdge.y}, [&] {
    return std::abs(nodes_edge() - kNodesEdge.x) < 6;
  })) << nodes_edge();
  EXPECT_TRUE(kept().empty());
}

TEST_F(DividersTest, HearADoubleClickWhileTheWindowStalls) {
  start_all();
  desktop_->drag(kNodesEdge, {kNodesEdge.x + 120, kNodesEdge.y});
  ASSERT_TRUE(until([&] { return std::abs(nodes_edge() - kNodesEdge.x - 120) < 6; }))
      << nodes_edge();
  const auto double_click = [&] {
    controller_->send_signal(SIGSTOP);
    desktop_->double_click({kNodesEdge.x + 120, kNodesEdge.y});
    desktop_->move(kNowhere);
    controller_->send_signal(SIGCONT);
  };
  EXPECT_TRUE(repeat_until(double_click, [&] { return std::abs(nodes_edge() - kNodesEdge.x) < 6; }))
      << nodes_edge();
}

TEST_F(DividersTest, OfAnAbsurdFileLeaveEachPanelItsRoom) {
  std::filesystem::create_directories(file().parent_path());
  ASSERT_TRUE(write_file_atomically(
      file(), "[dividers]\noverview-left = -1e9\noverview-preview = 1e300\n"));
  start_all();
  // A width of 200.
  EXPECT_TRUE(until([&] { return std::abs(nodes_edge() - 212) < 6; })) << nodes_edge();
}

TEST_F(DividersTest, DivideThePageOfWhatHoldsTheShowBack) {
  start_all({"--page", "holdup"});
  const auto edges = [&] {
    return areas_below(desktop_->screenshot(), kScreen.width / 2, color::kBackground, 6);
  };
  ASSERT_TRUE(until([&] { return edges().size() >= 3; })) << edges().size();
  const auto way = edges()[2];  // below the tabs: the verdict's sentence, then the critical path
  desktop_->drag(way, {way.x, way.y + 60});
  desktop_->move(kNowhere);  // a line appears under the mouse
  EXPECT_TRUE(
      until([&] { return edges().size() >= 3 && std::abs(edges()[2].y - way.y - 60) < 6; }));
  EXPECT_TRUE(kept().contains("holdup-way"));
}

}  // namespace
}  // namespace submix::ui
