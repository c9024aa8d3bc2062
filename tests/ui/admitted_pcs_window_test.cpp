// SPDX-License-Identifier: GPL-3.0-or-later
// A desk's list of its PCs: their rights, and the way out.
#include "tests/ui/several_pcs_fixture.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace submix::ui {
namespace {

using ::testing::HasSubstr;

constexpr int kToChoice = 100;      // from "Shut out …" to the choice of the PC's rights
constexpr int kToThirdChoice = 75;  // below it, when it is open

TEST_F(SeveralPcsWindowTest, ShutsAPcOutAfterAQuestionButNotInThePerformMode) {
  write_desk({"rack1", "rack2"});
  start_window_on("desk");
  const auto buttons = [&] { return controls_at(kInPcButtons); };
  ASSERT_TRUE(
      repeat_until([&] { desktop_->press("ctrl+j"); }, [&] { return buttons().size() == 2; }))
      << "the PCs are not listed";
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.Pcs.png");
  EXPECT_THAT(outcome_on("desk", "ss -Hltn"), HasSubstr(":4223")) << "PCs ask there for a new key";
  desktop_->press("ctrl+e");
  ASSERT_TRUE(until([&] { return buttons().empty(); }));
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.PcsPerform.png");
  desktop_->press("ctrl+e");
  ASSERT_TRUE(until([&] { return buttons().size() == 2; }));

  // A double click asks, and its second half changes nothing.
  desktop_->double_click(buttons()[0]);
  ASSERT_TRUE(until([&] { return buttons().empty(); }));
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.Question.png");
  EXPECT_EQ(list_of_desk().peers.size(), 2U) << "nobody was asked";
  EXPECT_TRUE(has_key_of_before());
  const auto stay = controls()[1];  // below "Show a code"
  desktop_->click({stay.x + kToNextButton, stay.y});
  EXPECT_TRUE(until([&] { return !has_key_of_before() && !list_of_desk().next_key; }));
  const auto left = list_of_desk().peers;
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].name, "rack2");
  EXPECT_TRUE(until([&] { return buttons().size() == 1; }));
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.ShutOut.png");
}

class LowSeveralPcsWindowTest : public SeveralPcsWindowTest {
 protected:
  LowSeveralPcsWindowTest() { screen_ = {1280, 720}; }
  /// Everything of the dialog is in view, also Close.
  void show_desk_with_a_code(const std::vector<std::string>& joined);
  static constexpr int kInLowDialog = 304;  // as kInDialog
};

void LowSeveralPcsWindowTest::show_desk_with_a_code(const std::vector<std::string>& joined) {
  write_desk(joined);
  controller_ = start_on("desk", {CONTROLLER, "--size", "1280", "720", "--osc", "0", "--no-tour",
                                  "--page", "overview"});
  ASSERT_TRUE(until([&] { return pixels(color::kPanel) > kPixelsOfAWindow; }));
  // "Show a code", the field for an address, the box of this PC's layers, "Stop being the desk …".
  const auto left_controls = [&] { return controls_at(kInLowDialog); };
  ASSERT_TRUE(
      repeat_until([&] { desktop_->press("ctrl+j"); }, [&] { return left_controls().size() == 4; }))
      << left_controls().size() << " controls";
  desktop_->click(left_controls()[0]);
  desktop_->move(kNowhere);
  std::this_thread::sleep_for(3s);
  ASSERT_TRUE(until([&] { return left_controls().size() == 4; })) << "some are cut";
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.LowCode.png");
  const auto stop = left_controls().back();
  desktop_->click({stop.x + kToNextButton, stop.y});
  EXPECT_TRUE(until([&] { return left_controls().empty(); })) << "no Close beside it";
  EXPECT_TRUE(is_member("desk"));
}

TEST_F(LowSeveralPcsWindowTest, HasRoomForADeskWithACodeAndForClose) {
  show_desk_with_a_code({"rack1", "rack2"});
}

// The list grew, and the dialog had to be scrolled.
TEST_F(LowSeveralPcsWindowTest, HasTheSameRoomWithManyPcs) {
  show_desk_with_a_code({"rack1", "rack2", "rack3", "rack4"});
}

TEST_F(SeveralPcsWindowTest, SaysWhatAPcMayDo) {
  write_desk({"wall", "rack2"});
  start_window_on("desk");
  const auto buttons = [&] { return controls_at(kInPcButtons); };
  ASSERT_TRUE(
      repeat_until([&] { desktop_->press("ctrl+j"); }, [&] { return buttons().size() == 2; }));
  const Point choice{buttons()[0].x - kToChoice, buttons()[0].y};
  desktop_->click(choice);
  desktop_->click({choice.x, choice.y + kToThirdChoice});
  EXPECT_TRUE(until([&] { return list_of_desk().peers.at(0).rights == cluster::Rights::watch; }));
  EXPECT_EQ(list_of_desk().peers.at(1).rights, cluster::Rights::everything);
  EXPECT_TRUE(until([&] { return buttons().size() == 2; }));
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.Rights.png");
}

}  // namespace
}  // namespace submix::ui
