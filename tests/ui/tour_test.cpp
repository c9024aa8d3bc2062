// SPDX-License-Identifier: GPL-3.0-or-later
// The tour of the first start in the real window.
#include "tests/ui/controller_fixture.hpp"

#include <csignal>

namespace submix::ui {
namespace {

class TourTest : public ControllerTest {
 protected:
  TourTest() { is_first_start_ = true; }
  // The outline of the layers, three pixels wide, on the left half below the programme.
  [[nodiscard]] bool has_outline() const {
    constexpr int kTop = 700;
    const auto image = desktop_->screenshot();
    const auto is_accent = [](const std::uint8_t* rgb) {
      return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color::kAccent;
    };
    return count_pixels(image, {0, kTop}, {image.size.width / 2, image.size.height - kTop},
                        is_accent) > 3000;
  }
};

TEST_F(TourTest, IsShownOnTheFirstStartOnlyAndStopsNobody) {
  start_simulated({});
  ASSERT_TRUE(until([&] { return has_outline(); })) << "the first step points at the layers";
  desktop_->press("ctrl+period");
  EXPECT_TRUE(until([&] { return transport().is_black; })) << "nothing is blocked";
  desktop_->press("ctrl+period");
  EXPECT_TRUE(until([&] { return !transport().is_black; }));
  desktop_->press("Escape");
  ASSERT_TRUE(until([&] { return !has_outline(); }));
  controller_->send_signal(SIGTERM);
  ASSERT_TRUE(until([&] { return controller_->exit_status().has_value(); }));
  start_controller(nats_->url());
  ASSERT_TRUE(until([&] { return pixels(color::kGood) > 40; }));
  std::this_thread::sleep_for(1s);
  EXPECT_FALSE(has_outline()) << "only once";
  desktop_->press("shift+F1");
  EXPECT_TRUE(until([&] { return has_outline(); })) << "whenever somebody asks";
  desktop_->press("ctrl+e");
  EXPECT_TRUE(until([&] { return !has_outline(); })) << "never while somebody performs";
}

}  // namespace
}  // namespace submix::ui
