// SPDX-License-Identifier: GPL-3.0-or-later
// PCs come into a show: by address and code, or as neighbours that Avahi finds.
#include "controller/ui/shell/local_nodes.hpp"
#include "tests/support/own_avahi.hpp"
#include "tests/ui/several_pcs_fixture.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace submix::ui {
namespace {

using ::testing::HasSubstr;

constexpr const char* kDesk = "198.18.0.1";
constexpr int kPixelsOfACode = 700;  // six large digits have more

TEST_F(SeveralPcsWindowTest, MakesThisPcADeskThatShowsACodeAndPlays) {
  open_window_on("desk");
  const auto bluish = bluish_pixels();
  desktop_->click(controls()[0]);
  ASSERT_TRUE(until([&] { return is_member("desk"); }));
  EXPECT_TRUE(cluster::read_membership(folder_of("desk")).value()->is_own);
  EXPECT_TRUE(until([&] { return bluish_pixels() > bluish + kPixelsOfACode; }))
      << "no code is shown: " << bluish_pixels() << " bluish pixels, " << bluish << " before";
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.Code.png");

  const auto guess = outcome_on("rack1", std::string("echo 123456 | ") + SUBMIX + " join " + kDesk);
  EXPECT_THAT(guess, HasSubstr("another code"));
  const auto without_key =
      outcome_on("rack1", std::string(SUBMIX) + " status --nats nats://" + kDesk + ":4222");
  EXPECT_THAT(without_key, HasSubstr("status 1"));
  EXPECT_TRUE(until([&] { return nodes_at_desk() == std::vector{usual_node_name()}; }));
}

TEST_F(SeveralPcsWindowTest, FetchesAPcWithoutAShowByItsAddressAndCode) {
  write_desk({});
  start_window_on("desk");
  auto node = start_on("rack1", {NODE, "--name", "left"});
  const auto code = code_of("rack1");
  // "Show a code", the fields for address and code, Invite, the box of this PC's layers, "Stop
  // being the desk …", Close.
  ASSERT_TRUE(
      repeat_until([&] { desktop_->press("ctrl+j"); }, [&] { return controls().size() == 7; }))
      << controls().size() << " controls";
  const auto fields = controls();
  desktop_->click(fields[1]);
  desktop_->type("198.18.0.2");
  desktop_->click(fields[2]);
  desktop_->type(code);
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.Invite.png");
  desktop_->click(fields[3]);
  ASSERT_TRUE(until([&] { return is_member("rack1"); }));
  EXPECT_TRUE(until([&] { return list_of_desk().peers.size() == 1; }));
  EXPECT_TRUE(until([&] {
    const auto nodes = nodes_at_desk();
    return std::ranges::find(nodes, "left") != nodes.end();
  })) << "its node does not come into the show";
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.Invited.png");
}

TEST_F(SeveralPcsWindowTest, JoinsADeskByItsAddressAndCodeAndLeavesItWhateverItMayDo) {
  auto desk = start_on("desk", {SUBMIX, "desk"});
  const auto code = code_of("desk");
  open_window_on("rack1");
  const auto fields = controls();
  desktop_->click(fields[1]);
  desktop_->type(kDesk);
  desktop_->click(fields[2]);
  desktop_->type(code == "000 000" ? "111111" : "000000");
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return pixels(color::kBad) > 0; })) << "a wrong code is not told";
  EXPECT_FALSE(is_member("rack1"));
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.WrongCode.png");
  desktop_->type(code);  // without another press on its field
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return is_member("rack1"); }));
  EXPECT_TRUE(
      until([&] { return text_of(folder_ / "desk.log").find("has joined") != std::string::npos; }));
  EXPECT_TRUE(until([&] { return nodes_at_desk() == std::vector{usual_node_name()}; }));
  const auto allowed = outcome_on(
      "desk", std::string(SUBMIX) + " peers allow " + list_of_desk().peers.at(0).name + " watch");
  EXPECT_THAT(allowed, HasSubstr("status 0"));
  EXPECT_TRUE(until([&] { return nodes_at_desk().empty(); })) << "its node is not heard any more";
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.Joined.png");

  // "Leave this desk …" and Close; then, lower, Stay and Close.
  ASSERT_TRUE(until([&] { return controls().size() == 2; }));
  const auto leave = controls()[0];
  desktop_->click(leave);
  desktop_->move(kNowhere);
  ASSERT_TRUE(until([&] { return controls().size() == 2 && controls()[0].y != leave.y; }));
  EXPECT_TRUE(is_member("rack1")) << "nobody was asked";
  desktop_->click({controls()[0].x + kToNextButton, controls()[0].y});
  EXPECT_TRUE(until([&] { return !is_member("rack1"); }));
  EXPECT_TRUE(until([&] { return controls().size() == 5; })) << "the window does not start again";
}

// Both PCs find each other through Avahi.
class NearbyPcsWindowTest : public SeveralPcsWindowTest {
 protected:
  void SetUp() override {
    SeveralPcsWindowTest::SetUp();
    for (const auto* pc : {"desk", "rack1"})
      testing::write_files_of_avahi(folder_ / pc);
  }
  [[nodiscard]] ChildProcess start_beside_avahi(const std::string& pc, const std::string& command) {
    return start_on(pc, {"sh", "-c", "exec " + testing::kBesideAvahi + command});
  }
  void start_window_beside_avahi(const std::string& pc) {
    controller_ = start_beside_avahi(
        pc, std::string(CONTROLLER) + " --size 1440 900 --osc 0 --no-tour --page overview");
    ASSERT_TRUE(until([&] { return pixels(color::kPanel) > kPixelsOfAWindow; }));
  }
  /// Of the button in the bar of tabs that names another PC.
  [[nodiscard]] std::optional<Point> nearby_button() const {
    const auto image = desktop_->screenshot();
    for (int x = kPlace.x; x < kPlace.x + kPlaceSize.width; ++x) {
      if (count_pixels(image, {x, kPlace.y}, {1, kPlaceSize.height}, has_color_of_button) > 0)
        return Point{x + kIntoButton, kPlace.y + kPlaceSize.height / 2};
    }
    return std::nullopt;
  }
  static bool has_color_of_button(const std::uint8_t* rgb) {
    return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color::kTrack;
  }
  [[nodiscard]] bool stands_out() const {
    return count_pixels(desktop_->screenshot(), kPlace, kPlaceSize, is_bluish) > 0;
  }

  // Between the tabs and the button of the windows.
  static constexpr Point kPlace{900, 60};
  static constexpr Size kPlaceSize{250, 26};
  static constexpr int kIntoButton = 6;
};

TEST_F(NearbyPcsWindowTest, ShowADeskThatAPressAndItsCodeJoin) {
  auto desk = start_beside_avahi("desk", std::string(SUBMIX) + " desk");
  const auto code = code_of("desk");
  start_window_beside_avahi("rack1");
  ASSERT_TRUE(until([&] { return nearby_button().has_value(); }));
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "NearbyPcsWindowTest.Desk.png");
  EXPECT_TRUE(stands_out());
  desktop_->click(*nearby_button());
  ASSERT_TRUE(until([&] { return controls().size() == 5; })) << "the dialog does not open";
  EXPECT_FALSE(stands_out()) << "somebody has seen it";
  desktop_->type(code);  // without a press on its field
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "NearbyPcsWindowTest.Join.png");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return is_member("rack1"); }));
}

TEST_F(NearbyPcsWindowTest, ShowAPcThatWaitsUntilItIsInvited) {
  write_desk({});
  start_window_beside_avahi("desk");
  EXPECT_FALSE(nearby_button());
  auto node = start_beside_avahi("rack1", std::string(NODE) + " --name left");
  const auto code = code_of("rack1");
  ASSERT_TRUE(until([&] { return nearby_button().has_value(); }));
  desktop_->press("ctrl+e");  // a PC may come in while the window performs
  desktop_->click(*nearby_button());
  ASSERT_TRUE(until([&] { return controls().size() > 3; })) << "the dialog does not open";
  desktop_->type(code);
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "NearbyPcsWindowTest.Invite.png");
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return is_member("rack1"); }));
  desktop_->press("Escape");
  EXPECT_TRUE(until([&] { return !nearby_button(); })) << "it does not wait any more";
}

}  // namespace
}  // namespace submix::ui
