// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/controller_fixture.hpp"

namespace submix::ui {
namespace {

constexpr Point kOscSwitch{458, 118};
constexpr Point kFollowTheMusic{31, 651};
constexpr Point kForgetFirst{1407, 201};
constexpr Point kTargets{640, 148};
constexpr Point kLearn{820, 148};
constexpr Point kBlackOutToLearn{434, 29};
constexpr Point kLearnInItsMenu{474, 44};
constexpr Point kForgetInItsMenu{474, 64};

class ControlWindowTest : public ControllerTest {
 protected:
  void SetUp() override {
    ControllerTest::SetUp();
    std::filesystem::create_directory(folder_ / "submix");
    ASSERT_TRUE(write_file_atomically(folder_ / "submix/control.toml", R"([midi]
on = false
[[midi.mapping]]
device = "nano"
control = "cc 7"
target = "left.glow.Blur"
[[midi.mapping]]
device = "nano"
control = "cc 8"
target = "black"
)"));
    start_all();
    desktop_->press("ctrl+k");
    desktop_->type("show control");
    desktop_->press("Return");
  }
  [[nodiscard]] std::string settings() const {
    return read_text_file(folder_ / "submix/control.toml").value_or("");
  }
};

TEST_F(ControlWindowTest, TurnsOscOffAndForgetsAMappingByMouse) {
  ASSERT_TRUE(until([&] { return pixels(color::kWarning) > 20; }))
      << "no mapping whose device is away";
  desktop_->click(kOscSwitch);
  EXPECT_TRUE(until([&] { return settings().find("on = false\nport") != std::string::npos; }))
      << settings();
  EXPECT_NE(settings().find("left.glow.Blur"), std::string::npos);
  desktop_->click(kForgetFirst);
  EXPECT_TRUE(until([&] { return settings().find("left.glow.Blur") == std::string::npos; }))
      << settings();
}

// A right click there did nothing: the controls of BLACK-OUT were on the page Control only.
TEST_F(ControlWindowTest, LearnsAndForgetsAControlOfBlackOutAtItsButton) {
  ASSERT_TRUE(until([&] { return pixels(color::kWarning) > 20; })) << "no page Control";
  const auto open_menu = [&] {
    desktop_->act(fmt::format("mousemove {} {} click 3", kBlackOutToLearn.x, kBlackOutToLearn.y));
    std::this_thread::sleep_for(500ms);
  };
  const auto before = pixels(color::kWarning);
  open_menu();
  desktop_->click(kLearnInItsMenu);
  EXPECT_TRUE(until([&] { return pixels(color::kWarning) > before + 20; })) << "no notice";
  desktop_->press("Escape");
  open_menu();
  desktop_->click(kForgetInItsMenu);
  EXPECT_TRUE(until([&] { return settings().find("cc 8") == std::string::npos; })) << settings();
  EXPECT_NE(settings().find("cc 7"), std::string::npos) << "another one's";
}

TEST_F(ControlWindowTest, LearnsAKeyThatActsUnlessPeopleType) {
  ASSERT_TRUE(until([&] { return pixels(color::kWarning) > 20; })) << "no page Control";
  desktop_->act(fmt::format("mousemove {} {} click 3", kBlackOutToLearn.x, kBlackOutToLearn.y));
  std::this_thread::sleep_for(500ms);
  desktop_->click(kLearnInItsMenu);
  std::this_thread::sleep_for(500ms);
  desktop_->press("ctrl+l");  // the patch bay's lock
  desktop_->press("shift+b");
  ASSERT_TRUE(until([&] { return settings().find("key = 'Shift+B'") != std::string::npos; }))
      << settings();
  EXPECT_EQ(settings().find("Ctrl+L"), std::string::npos) << "a command's key stays the command's";
  desktop_->act("mousemove 700 850");  // a button below the mouse has another colour
  ASSERT_EQ(pixels(color::kBad), 0);
  desktop_->press("shift+b");
  EXPECT_TRUE(until([&] { return pixels(color::kBad) > 1000; })) << "not black";
  desktop_->press("ctrl+k");
  desktop_->type("Bass");
  desktop_->press("Escape");
  std::this_thread::sleep_for(1s);
  EXPECT_GT(pixels(color::kBad), 1000) << "a word that was typed has brought back the light";
  desktop_->press("shift+b");
  EXPECT_TRUE(until([&] { return pixels(color::kBad) == 0; })) << "still black";
}

// A hand without a mouse had keys for commands only.
TEST_F(ControlWindowTest, HasEveryControlAndItsMenuByTheArrowKeys) {
  ASSERT_TRUE(until([&] { return pixels(color::kWarning) > 20; })) << "no page Control";
  desktop_->act("mousemove 700 850");
  const auto press = [&](const char* key, int times) {
    for (int i = 0; i < times; ++i) {
      desktop_->press(key);
      std::this_thread::sleep_for(100ms);
    }
  };
  desktop_->press("F6");
  press("Up", 12);
  press("Left", 14);  // the show's name, the first control of the top bar
  press("Right", 1);
  press("space", 1);
  press("Right", 1);  // the control that they have come to has another colour
  EXPECT_TRUE(until([&] { return pixels(color::kBad) > 1000; })) << "BLACK-OUT is not pressed";
  press("Left", 1);
  press("space", 1);
  press("Right", 1);
  EXPECT_TRUE(until([&] { return pixels(color::kBad) == 0; }));
  press("Left", 1);
  press("shift+F10", 1);
  std::this_thread::sleep_for(500ms);
  press("Down", 1);  // from Learn to Forget
  press("space", 1);
  EXPECT_TRUE(until([&] { return settings().find("cc 8") == std::string::npos; })) << settings();
  desktop_->press("F6");
  press("space", 1);
  std::this_thread::sleep_for(1s);
  EXPECT_EQ(pixels(color::kBad), 0) << "the space bar alone presses nothing";
}

// Enter did nothing there, unlike in the lists of files and effects.
TEST_F(ControlWindowTest, TakesTheFirstTargetByEnter) {
  ASSERT_TRUE(until([&] { return pixels(color::kWarning) > 20; })) << "no page Control";
  desktop_->click(kTargets);
  std::this_thread::sleep_for(500ms);
  desktop_->type("freez");
  desktop_->press("Return");
  std::this_thread::sleep_for(500ms);
  const auto before = pixels(color::kWarning);
  desktop_->click(kLearn);
  EXPECT_TRUE(until([&] { return pixels(color::kWarning) > before + 20; })) << "no notice";
}

TEST_F(ControlWindowTest, FollowsTheMusicByAPressAndLeavesLinkAsItWas) {
  ASSERT_TRUE(until([&] { return pixels(color::kWarning) > 20; })) << "no page Control";
  desktop_->click(kFollowTheMusic);
  EXPECT_TRUE(until([&] { return settings().find("[music]\nfollow = true") != std::string::npos; }))
      << settings();
  EXPECT_EQ(settings().find("[link]\non = true"), std::string::npos) << settings();
  desktop_->click(kFollowTheMusic);
  EXPECT_TRUE(until([&] { return settings().find("[music]\nfollow = true") == std::string::npos; }))
      << settings();
}

}  // namespace
}  // namespace submix::ui
