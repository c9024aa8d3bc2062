// SPDX-License-Identifier: GPL-3.0-or-later
// The check of this PC in the real window, by the command palette.
#include "tests/ui/controller_fixture.hpp"

namespace submix::ui {
namespace {

constexpr std::size_t kPixelsOfAFinding = 40;  // of its mark

class PcCheckWindowTest : public ControllerTest {
 protected:
  [[nodiscard]] std::size_t marks() const {
    const auto picture = desktop_->screenshot();
    return count_pixels(picture, color::kGood) + count_pixels(picture, color::kWarning) +
           count_pixels(picture, color::kBad);
  }
};

TEST_F(PcCheckWindowTest, TellsWhatThisPcLacksUntilEscape) {
  start_nats();
  start_controller(nats_->url());
  ASSERT_TRUE(until([&] { return pixels(color::kGood) > 0; })) << "the window does not appear";
  const auto before = marks();
  desktop_->press("ctrl+k");
  desktop_->type("doctor");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return marks() > before + 5 * kPixelsOfAFinding; }))
      << "nothing is told about this PC";
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "PcCheckWindowTest.Findings.png");
  desktop_->press("Escape");
  EXPECT_TRUE(until([&] { return marks() < before + kPixelsOfAFinding; })) << "it stays open";
}

}  // namespace
}  // namespace submix::ui
