// SPDX-License-Identifier: GPL-3.0-or-later
// Windows beside the main one, with a real mouse and real keys.
#include "tests/ui/controller_fixture.hpp"
#include "tests/ui/fingers.hpp"

#include <csignal>
#include <fstream>

namespace submix::ui {
namespace {

constexpr Point kMiddle{720, 450};  // a window without a place opens there
constexpr Point kBeforeTabs{40, 74};
constexpr Point kInMain{1000, 12};  // in the top bar, beside all buttons
constexpr Point kExtra{60, 240};    // corner of the moved-out window
constexpr int kExtraWidth = 420;
constexpr Size kExtraSize{kExtraWidth, 600};
constexpr Point kPatch{40, 220};  // corner of the page Patch in a window of its own
constexpr Size kPatchSize{1100, 660};
constexpr Point kNameInPatch{140, 623};  // of the chosen slot
constexpr Point kPatchTab{339, 75};

class ExtraWindowTest : public ControllerTest {
 protected:
  ExtraWindowTest() {
    show_.knobs = {{"energy", 0.5, {{{"left", "glow"}, "Blur", 0.0, 1.0}}}};
    show_.cues = {{"calm", "", 0, {}, {show::CueParameter{{"left", "glow"}, "Blur", 0.125}}}};
  }

  // Of the main window; one with pictures only has none.
  [[nodiscard]] std::size_t ground() const { return pixels(color::kPanel); }
  void end_controller() {
    controller_->send_signal(SIGTERM);
    ASSERT_TRUE(until([&] { return controller_->exit_status().has_value(); }));
  }
  /// The view's window opens with the main one.
  void leave_open(const std::string& view, Point at, Size size = kExtraSize) const {
    std::filesystem::create_directories(folder_ / "submix");
    std::ofstream(folder_ / "submix" / "controller.toml", std::ios::app)
        << "[windows." << view << "]\nopen = true\nx = " << at.x << "\ny = " << at.y
        << "\nwidth = " << size.width << "\nheight = " << size.height << "\n";
  }
  [[nodiscard]] std::string preferences() const {
    return read_text_file(folder_ / "submix" / "controller.toml").value_or("");
  }
  /// The knob's middle between these columns.
  [[nodiscard]] std::optional<Point> knob_between(int left, int right) const {
    for (const auto& area :
         areas_below_any(desktop_->screenshot(), left, color::kCard, kKnobHeightMin)) {
      if (area.x < right) return area;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<Point> moved_out_knob() const {
    return knob_between(kExtra.x, kExtra.x + kExtraWidth);
  }
  [[nodiscard]] bool has_knob_at_home() const {
    return knob_between(kScreen.width - 300, kScreen.width).has_value();
  }
  [[nodiscard]] show::Knob knob() const {
    const auto show = show_now();
    return show.knobs.empty() ? show::Knob() : show.knobs[0];
  }
  void start_with_knobs_moved_out() {
    leave_open("knobs", kExtra);
    start_all({"--page", "perform"});
    ASSERT_TRUE(until([&] { return moved_out_knob().has_value(); })) << "no window";
    EXPECT_FALSE(has_knob_at_home()) << "it is there twice";
  }
  void open_menu_at(Point at) const {
    desktop_->act(fmt::format("mousemove {} {} sleep 0.2 click 3 sleep 0.4", at.x, at.y));
  }
  /// Into the knob's name, which gets the keyboard.
  void click_name_of_knob() const {
    const auto at = *moved_out_knob();
    open_menu_at(at);
    desktop_->click({at.x + 60, at.y + 18});
  }

  const Fingers fingers_{folder_ / "touches", kExtraSize, 1};
};

TEST_F(ExtraWindowTest, OpensByAKeyCoversTheScreenByADoubleClickAndComesBackNextTime) {
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

TEST_F(ExtraWindowTest, ClosesAloneAndLeavesTheKeyboardToTheMainWindow) {
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

TEST_F(ExtraWindowTest, ComesToADisplayThatIsThere) {
  leave_open("programme", {6000, 5000});
  start_simulated({});
  // The main window covers the screen's own black.
  const auto is_on_screen = [&] {
    return ground() > 100'000 && pixels(IM_COL32(0, 0, 0, 255)) > 150'000;
  };
  EXPECT_TRUE(until(is_on_screen));
}

TEST_F(ExtraWindowTest, TurnsAKnobByMouseAndNamesItByKeys) {
  start_with_knobs_moved_out();
  const auto at = *moved_out_knob();
  desktop_->drag(at, {at.x, at.y - 54});
  EXPECT_TRUE(until([&] { return knob().value > 0.7; })) << knob().value;
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return knob().value == 0.5; })) << "one step of undo, from this window";
  click_name_of_knob();
  desktop_->press("ctrl+a");
  desktop_->type("heat");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return knob().name == "heat"; })) << knob().name;
}

TEST_F(ExtraWindowTest, TurnsAKnobByAFinger) {
  is_touched_ = true;
  start_with_knobs_moved_out();
  const auto at = *moved_out_knob();
  const Point in_window{at.x - kExtra.x, at.y - kExtra.y};
  fingers_.drag(in_window, {in_window.x, in_window.y - 54});
  EXPECT_TRUE(until([&] { return knob().value > 0.7; })) << knob().value;
}

TEST_F(ExtraWindowTest, HearsTheKeysOfTheMainWindow) {
  start_with_knobs_moved_out();
  desktop_->click({kExtra.x + 200, kExtra.y + 500});
  desktop_->press("ctrl+period");
  EXPECT_TRUE(until([&] { return transport().is_black; }));
  desktop_->press("ctrl+f");
  EXPECT_TRUE(until([&] { return transport().is_frozen; }));
  const auto blur = [&] {
    const auto show = show_now();
    return std::get<double>(show.find_slot({"left", "glow"})->parameters.at("Blur"));
  };
  desktop_->press("ctrl+g");
  EXPECT_TRUE(until([&] { return blur() == 0.125; })) << blur();
}

TEST_F(ExtraWindowTest, IsMovedOutByTheTabsMenuAndBackByItsButton) {
  start_all({"--page", "perform"});
  ASSERT_TRUE(until([&] { return has_knob_at_home(); }));
  constexpr int kRow = 21;
  open_menu_at(kBeforeTabs);
  desktop_->click({kBeforeTabs.x + 60, kBeforeTabs.y + 14 + 2 * kRow});
  ASSERT_TRUE(until([&] { return !has_knob_at_home(); })) << "it is still in the main window";
  std::optional<Point> at;
  ASSERT_TRUE(until([&] {
    at = knob_between(kMiddle.x - kExtraWidth / 2, kMiddle.x + kExtraWidth / 2);
    return at.has_value();
  })) << "no window";
  desktop_->drag(*at, {at->x, at->y - 54});
  EXPECT_TRUE(until([&] { return knob().value > 0.7; })) << knob().value;
  const Point move_back{kMiddle.x + kExtraWidth / 2 - 40, kMiddle.y - 320 + 17};
  desktop_->click(move_back);
  EXPECT_TRUE(until([&] { return has_knob_at_home(); })) << "it is not back";
}

TEST_F(ExtraWindowTest, PutsItsPanelBackWhenItIsClosedAndEndsNothing) {
  is_touched_ = true;  // the window is closed by the library that makes fingers
  start_with_knobs_moved_out();
  fingers_.close_window();
  EXPECT_TRUE(until([&] { return has_knob_at_home(); }));
  EXPECT_FALSE(moved_out_knob()) << "it is there twice";
  EXPECT_FALSE(controller_->exit_status());
  desktop_->press("ctrl+period");
  EXPECT_TRUE(until([&] { return transport().is_black; })) << "the keyboard is lost";
  end_controller();
  EXPECT_NE(preferences().find("open = false"), std::string::npos) << preferences();
  EXPECT_EQ(preferences().find("open = true"), std::string::npos) << preferences();
}

TEST_F(ExtraWindowTest, HasOneTextFieldAtATimeWithTheMainWindow) {
  start_with_knobs_moved_out();
  click_name_of_knob();
  desktop_->press("ctrl+a");
  desktop_->type("heat");
  desktop_->click(kInMain);
  desktop_->press("Return");
  desktop_->press("ctrl+period");
  EXPECT_TRUE(until([&] { return transport().is_black; })) << "the main window has no keyboard";
  EXPECT_EQ(knob().name, "energy");
}

TEST_F(ExtraWindowTest, AsksInTheMainWindowBeforeItQuits) {
  start_with_knobs_moved_out();
  desktop_->click({kExtra.x + 200, kExtra.y + 500});
  desktop_->press("ctrl+k");
  desktop_->type("pause or resume");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return transport().is_paused; })) << "the palette has no keyboard";
  desktop_->press("ctrl+q");
  EXPECT_TRUE(until([&] { return controller_->exit_status().has_value(); }))
      << "nothing is unsaved, so nothing is asked";
}

/// The page Patch has a window of its own.
class MovedOutPageTest : public ExtraWindowTest {
 protected:
  void start_with_patch_moved_out() {
    leave_open("patch", kPatch, kPatchSize);
    start_simulated({"--page", "links"});  // where no key deletes anything
    ASSERT_TRUE(until([&] { return pixels(color::kChosen) > 2000; })) << "no chosen slot";
  }
  [[nodiscard]] std::size_t slots() const {
    const auto show = show_now();
    return show.submixes.empty() ? 0 : show.submixes[0].slots.size();
  }
};

TEST_F(MovedOutPageTest, DeletesItsChosenSlotByKeyButNotInThePerformMode) {
  start_with_patch_moved_out();
  const auto before = slots();
  desktop_->click({kPatch.x + 60, kPatch.y + 120});
  desktop_->press("ctrl+e");
  desktop_->press("Delete");
  std::this_thread::sleep_for(1s);
  EXPECT_EQ(slots(), before);
  desktop_->press("ctrl+e");
  desktop_->press("shift+Delete");
  EXPECT_TRUE(until([&] { return slots() == before - 1; })) << slots();
}

TEST_F(MovedOutPageTest, EndsItsTextFieldWhenTheMainWindowIsPressed) {
  start_with_patch_moved_out();
  const auto name = [&] { return show_now().submixes.at(0).slots.at(1).name; };
  const auto type_name = [&] {
    desktop_->click(kNameInPatch);
    desktop_->press("ctrl+a");
    desktop_->type("film");
  };
  type_name();
  desktop_->click(kInMain);
  desktop_->click(kPatchTab);  // brings the page's window to the front, with the keyboard
  desktop_->press("Return");
  std::this_thread::sleep_for(1s);
  EXPECT_EQ(name(), "glow") << "the field went on";
  type_name();
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return name() == "film"; })) << name();
  const auto before = slots();
  desktop_->click(kInMain);
  desktop_->click(kPatchTab);
  desktop_->press("shift+Delete");
  EXPECT_TRUE(until([&] { return slots() == before - 1; })) << "the tab gives no keyboard";
}

}  // namespace
}  // namespace submix::ui
