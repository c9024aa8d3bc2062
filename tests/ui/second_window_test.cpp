// SPDX-License-Identifier: GPL-3.0-or-later
// The second window, with a real mouse.
#include "tests/ui/controller_fixture.hpp"

#include <csignal>

namespace submix::ui {
namespace {

constexpr Point kMiddle{720, 450};  // the second window opens there

class SecondWindowTest : public ControllerTest {
 protected:
  // Of the main window; the second one has none.
  [[nodiscard]] std::size_t ground() const { return pixels(color::kPanel); }
  void end_controller() {
    controller_->send_signal(SIGTERM);
    ASSERT_TRUE(until([&] { return controller_->exit_status().has_value(); }));
  }
};

TEST_F(SecondWindowTest, OpensByAKeyCoversTheScreenByADoubleClickAndComesBackNextTime) {
  start_all();
  const auto whole = ground();
  desktop_->press("ctrl+shift+p");
  ASSERT_TRUE(until([&] { return ground() < whole * 3 / 4; }));
  EXPECT_GT(ground(), 0U) << "the main window is around it";
  ASSERT_TRUE(
      repeat_until([&] { desktop_->double_click(kMiddle); }, [&] { return ground() == 0; }));
  end_controller();
  start_controller(nats_->url());
  std::this_thread::sleep_for(1s);
  ASSERT_TRUE(until([&] { return ground() == 0; })) << "as it was left";
  ASSERT_TRUE(repeat_until([&] { desktop_->double_click(kMiddle); }, [&] { return ground() > 0; }));
  EXPECT_TRUE(until([&] { return ground() < whole * 3 / 4; })) << "a window again";
}

TEST_F(SecondWindowTest, ClosesAloneAndLeavesTheKeyboardToTheMainWindow) {
  start_all();
  const auto whole = ground();
  desktop_->press("ctrl+shift+w");
  ASSERT_TRUE(until([&] { return ground() < whole * 3 / 4; }));
  desktop_->press("ctrl+period");
  EXPECT_TRUE(until([&] { return transport().is_black; }));
  desktop_->press("ctrl+shift+w");
  ASSERT_TRUE(until([&] { return ground() > whole * 9 / 10; }));
  EXPECT_FALSE(controller_->exit_status());
}

}  // namespace
}  // namespace submix::ui
