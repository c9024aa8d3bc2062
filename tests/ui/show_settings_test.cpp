// SPDX-License-Identifier: GPL-3.0-or-later
// The show's settings and learning a MIDI control, in the real window with a real mouse.
#include "tests/ui/controller_fixture.hpp"

namespace submix::ui {
namespace {

// Places in the dialog of a show with two submixes and two nodes, centred on the screen.
constexpr Point kName{520, 280};
constexpr Point kRate{520, 338};
constexpr int kFieldsLeft = 462;  // left of the first letter
constexpr std::size_t kPixelsOfTheDialog = 80'000;

class ShowSettingsTest : public ControllerTest {
 protected:
  ShowSettingsTest() {
    show_.knobs = {{"energy", 0.5, {{{"left", "glow"}, "Blur", 0.0, 1.0}}}};
    show_.cues = {{"calm", "", 0, {}, {}}};
  }
  void command(const std::string& words) {
    desktop_->press("ctrl+k");
    desktop_->type(words);
    desktop_->press("Return");
  }
  /// Replaces the field's text.
  void type_into(Point field, const std::string& word) {
    desktop_->drag({field.x + 60, field.y}, {kFieldsLeft, field.y});
    desktop_->type(word);
    desktop_->press("Return");
  }
};

TEST_F(ShowSettingsTest, AreChangedOneByOneAndUndone) {
  start_all();
  const auto before = pixels(color::kCard);
  command("show settings");
  ASSERT_TRUE(until([&] { return pixels(color::kCard) > before + kPixelsOfTheDialog; }))
      << "no dialog";
  type_into(kName, "trio");
  EXPECT_TRUE(until([&] { return show_now().name == "trio"; })) << show_now().name;
  type_into(kRate, "60");
  EXPECT_TRUE(until([&] { return show_now().rate == FrameRate{60, 1}; }));
  desktop_->press("Escape");
  EXPECT_TRUE(until([&] { return pixels(color::kCard) < before + kPixelsOfTheDialog; }));
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return show_now().rate == FrameRate{30, 1}; }));
  EXPECT_EQ(show_now().name, "trio");
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return show_now().name == "duo"; }));
}

TEST_F(ShowSettingsTest, LearningBeginsForTheValueTouchedLastAndEndsByEscape) {
  start_all({"--page", "perform"});
  std::vector<Point> knobs;
  ASSERT_TRUE(until([&] {
    knobs = areas_below_any(desktop_->screenshot(), 0, color::kCard, kKnobHeightMin);
    return !knobs.empty();
  })) << "no knob";
  desktop_->drag(knobs[0], {knobs[0].x, knobs[0].y - 20});
  desktop_->move(kNowhere);
  ASSERT_TRUE(until([&] { return pixels(color::kCardHovered) == 0; }))
      << "something is under the mouse";
  desktop_->press("ctrl+m");
  EXPECT_TRUE(until([&] { return pixels(color::kCardHovered) > 5000; }))
      << "nobody asks for a control";
  desktop_->press("Escape");
  EXPECT_TRUE(until([&] { return pixels(color::kCardHovered) == 0; }));
}

}  // namespace
}  // namespace submix::ui
