// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/controller_fixture.hpp"

#include <algorithm>
#include <csignal>

namespace submix::ui {
namespace {

constexpr Point kPalettesCorner{445, 113};  // not a field yet

class ShowFilesWindowTest : public ControllerWithNodesTest {
 protected:
  [[nodiscard]] std::string saved(const std::string& name) const {
    return read_text_file(folder_ / name).value_or("");
  }
  // The command palette and notices have the same background: the palette is above, notices below.
  [[nodiscard]] std::vector<Point> raised() const {
    return areas_below(desktop_->screenshot(), kScreen.width / 2, color::kCardHovered, 6);
  }
  void save_as(const std::string& name) {
    desktop_->press("ctrl+shift+s");
    desktop_->press("ctrl+a");
    desktop_->type((folder_ / name).string());
    desktop_->press("Return");
  }
  /// As a person with nothing does: starts the nodes by the button of the first page.
  void begin_first_show() {
    start_nats();
    start_controller(nats_->url());
    bus_ = cluster::Bus::connect({.url = nats_->url(), .name = "test"}).value();
    cluster_ = std::make_unique<cluster::Cluster>(*bus_);
    readings_ = cluster_->subscribe_readings([this](const auto& reading) { keep(reading); });
    std::vector<Point> buttons;
    ASSERT_TRUE(until([&] {
      buttons = areas_below(desktop_->screenshot(), kScreen.width / 2 - 300, color::kTrack, 30);
      return !buttons.empty();
    }));
    desktop_->click(buttons.front());
    ASSERT_TRUE(until([&] { return show_now().name == "first show"; }));
  }
  [[nodiscard]] bool has_palette() const {
    return std::ranges::any_of(raised(), [](const Point& at) { return at.y < kScreen.height / 2; });
  }
  [[nodiscard]] bool has_notice() const {
    return std::ranges::any_of(raised(),
                               [](const Point& at) { return at.y > kScreen.height * 3 / 4; });
  }
};

TEST_F(ShowFilesWindowTest, SavesUnderANameOpensAnotherShowAndUndoesIt) {
  auto other = show_;
  other.name = "other";
  ASSERT_TRUE(write_file_atomically(folder_ / "other.toml", show::to_toml(other)));
  ControllerTest::start_all();
  save_as("kept.toml");
  EXPECT_TRUE(until([&] { return saved("kept.toml") == show::to_toml(show_); }))
      << saved("kept.toml");
  desktop_->press("ctrl+o");
  desktop_->type((folder_ / "other.toml").string());
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return show_now().name == "other"; }));
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return show_now().name == show_.name; }));
}

TEST_F(ShowFilesWindowTest, SavesAgainWhereTheWindowBeforeHasSaved) {
  ControllerTest::start_all();
  save_as("kept.toml");
  ASSERT_TRUE(until([&] { return saved("kept.toml") == show::to_toml(show_); }));
  ASSERT_TRUE(until([&] { return std::filesystem::exists(folder_ / "submix/files"); }));
  controller_->send_signal(SIGKILL);
  ASSERT_TRUE(until([&] { return controller_->exit_status().has_value(); }));
  start_controller(nats_->url());
  ASSERT_TRUE(until([&] { return pixels(color::kGood) > kPixelsOfAShow; }));
  desktop_->press("ctrl+k");
  desktop_->type("run left rack2");
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return node_of_left() == "rack2"; }));
  desktop_->press("ctrl+s");
  EXPECT_TRUE(until([&] { return saved("kept.toml") == show::to_toml(show_now()); }));
}

TEST_F(ShowFilesWindowTest, OpensTheOnlyShowThatHasTheTypedLetters) {
  auto other = show_;
  other.name = "other";
  ASSERT_TRUE(write_file_atomically(folder_ / "Evening 2.toml", show::to_toml(other)));
  ControllerTest::start_all();
  save_as("kept.toml");
  ASSERT_TRUE(until([&] { return saved("kept.toml") == show::to_toml(show_); }));
  desktop_->press("ctrl+o");
  std::this_thread::sleep_for(1s);  // the folder is listed
  desktop_->type("even");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return show_now().name == "other"; }));
}

TEST_F(ShowFilesWindowTest, HearsAllThatIsTypedWhileItStalls) {
  auto other = show_;
  other.name = "other";
  ASSERT_TRUE(write_file_atomically(folder_ / "other.toml", show::to_toml(other)));
  ControllerTest::start_all();
  controller_->send_signal(SIGSTOP);
  save_as("kept.toml");
  controller_->send_signal(SIGCONT);
  EXPECT_TRUE(until([&] { return saved("kept.toml") == show::to_toml(show_); }))
      << saved("kept.toml");
  controller_->send_signal(SIGSTOP);
  desktop_->press("ctrl+o");
  desktop_->type((folder_ / "other.toml").string());
  desktop_->press("Return");
  controller_->send_signal(SIGCONT);
  EXPECT_TRUE(until([&] { return show_now().name == "other"; }));
}

TEST_F(ShowFilesWindowTest, HearsACommandRightBehindTheEnterThatEndsAField) {
  auto other = show_;
  other.name = "other";
  ASSERT_TRUE(write_file_atomically(folder_ / "other.toml", show::to_toml(other)));
  ControllerTest::start_all();
  desktop_->press("ctrl+shift+s");
  desktop_->press("ctrl+a");
  desktop_->type((folder_ / "kept.toml").string());
  controller_->send_signal(SIGSTOP);
  desktop_->press("Return");
  desktop_->press("ctrl+o");
  desktop_->type((folder_ / "other.toml").string());
  desktop_->press("Return");
  controller_->send_signal(SIGCONT);
  EXPECT_TRUE(until([&] { return show_now().name == "other"; }));
}

TEST_F(ShowFilesWindowTest, RunsACommandByAFewLettersOfIt) {
  ControllerTest::start_all();
  desktop_->press("ctrl+k");
  desktop_->type("run left rack2");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return node_of_left() == "rack2"; })) << node_of_left();
}

TEST_F(ShowFilesWindowTest, RunsACommandThatIsTypedAfterAClickBesideThePalettesField) {
  ControllerTest::start_all();
  desktop_->press("ctrl+k");
  ASSERT_TRUE(until([&] { return has_palette(); })) << "no palette";
  desktop_->click(kPalettesCorner);
  desktop_->type("run left rack2");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return node_of_left() == "rack2"; })) << node_of_left();
}

TEST_F(ShowFilesWindowTest, ChangesNothingWhenItIsReadOnly) {
  ControllerTest::start_all({"--read-only"});
  desktop_->press("ctrl+k");
  desktop_->type("run left rack2");
  desktop_->press("Return");
  desktop_->press("ctrl+space");
  ASSERT_TRUE(until([&] { return !has_palette() && has_notice(); })) << "no notice";
  EXPECT_EQ(node_of_left(), "rack1");
  EXPECT_FALSE(transport().is_paused);
}

TEST_F(ShowFilesWindowTest, SaysWhyABrokenFileIsNotOpened) {
  ASSERT_TRUE(write_file_atomically(folder_ / "broken.toml", "name = \"brok"));
  ControllerTest::start_all();
  desktop_->press("ctrl+o");
  desktop_->type((folder_ / "broken.toml").string());
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return has_notice(); })) << "no notice";
  EXPECT_EQ(show_now(), show_);
}

TEST_F(ShowFilesWindowTest, SaysWhereAFileCannotBeWritten) {
  ControllerTest::start_all();
  desktop_->press("ctrl+shift+s");
  desktop_->press("ctrl+a");
  desktop_->type("/proc/kept.toml");  // a folder in which nobody can write
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return has_notice(); })) << "it does not say so";
}

TEST_F(ShowFilesWindowTest, SavesUnderAnotherNameAfterTheFirstOneWasRefused) {
  ControllerTest::start_all();
  desktop_->press("ctrl+shift+s");
  desktop_->press("ctrl+a");
  desktop_->type("/proc/kept.toml");
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return has_notice(); })) << "it is not refused";
  desktop_->press("ctrl+a");
  desktop_->type((folder_ / "kept.toml").string());
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return saved("kept.toml") == show::to_toml(show_); }))
      << saved("kept.toml");
}

TEST_F(ShowFilesWindowTest, TakesTheLettersOfADialogForNoCommands) {
  show_.cues = {{"calm", "", 0, {}, {show::CueBypass{{"left", "glow"}, true}}}};
  ControllerTest::start_all();
  desktop_->press("ctrl+n");
  desktop_->type("gala night");
  desktop_->press("Escape");
  desktop_->press("ctrl+space");
  ASSERT_TRUE(until([&] { return transport().is_paused; })) << "Ctrl+Space is a command";
  EXPECT_EQ(show_now().next_cue, "");
}

// Enter did nothing there.
TEST_F(ShowFilesWindowTest, BeginsANewShowByEnter) {
  ControllerTest::start_all();
  desktop_->press("ctrl+n");
  desktop_->press("ctrl+a");
  desktop_->type("gala");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return show_now().name == "gala"; })) << show_now().name;
}

TEST_F(ShowFilesWindowTest, StartsNodesAndAShowFromNothing) {
  begin_first_show();
  EXPECT_TRUE(until([&] { return frames_of("mix") > 30; })) << "nothing runs";
  EXPECT_EQ(show_now().find_slot({"mix", "screen"}), nullptr) << "an output would cover the window";
}

TEST_F(ShowFilesWindowTest, StartsANodeAgainThatWasKilled) {
  begin_first_show();
  ASSERT_TRUE(until([&] { return frames_of("mix") > 30; }));
  const auto kill = fmt::format("pkill -KILL -P {} -f 'name mix'", controller_->pid());
  ASSERT_EQ(std::system(kill.c_str()), 0);
  std::this_thread::sleep_for(6s);  // by then it is known to be gone
  const auto before = frames_of("mix");
  desktop_->press("ctrl+shift+j");
  EXPECT_TRUE(until([&] { return frames_of("mix") != before; })) << "it runs again";
}

class WideScreenTest : public ShowFilesWindowTest {
 protected:
  WideScreenTest() { screen_ = {1920, 1080}; }
  void SetUp() override {
    ShowFilesWindowTest::SetUp();
    screen_ = kScreen;  // of the controller
  }
  [[nodiscard]] std::size_t lit_pixels(Point from, Size size) const {
    return count_pixels(desktop_->screenshot(), from, size,
                        [](const auto* pixel) { return pixel[0] + pixel[1] + pixel[2] > 0; });
  }
  [[nodiscard]] bool show_says_full_screen() const {
    const auto show = show_now();
    const auto* screen = show.find_slot({"mix", "screen"});
    return screen != nullptr && screen->parameters.contains("fullscreen") &&
           screen->parameters.at("fullscreen") == show::ParameterValue(true);
  }

  static constexpr Size kGap{20, 1080};  // beside the output
};

TEST_F(WideScreenTest, HasTheOutputOfAFirstShowBesideTheWindow) {
  begin_first_show();
  ASSERT_TRUE(until([&] { return lit_pixels({1464, 90}, {432, 243}) > 432 * 243 * 3 / 4; }));
  EXPECT_EQ(lit_pixels({kScreen.width, 0}, kGap), 0U);
  EXPECT_EQ(lit_pixels({1900, 0}, kGap), 0U);
}

// The switch had to be pressed twice.
TEST_F(WideScreenTest, IsCoveredAgainByOnePressAfterADoubleClickOnTheOutput) {
  constexpr Point kButton{632, 119};
  begin_first_show();
  const auto covers = [&](bool is_wanted) {
    return until([&] { return (lit_pixels({1900, 0}, kGap) > 0) == is_wanted; });
  };
  ASSERT_TRUE(until([&] { return frames_of("mix") > 30; }));
  for (int i = 0; i < 2; ++i) {
    desktop_->click(kButton);
    ASSERT_TRUE(covers(true)) << i;
    ASSERT_TRUE(until([&] { return show_says_full_screen(); })) << i;
    desktop_->double_click({960, 540});
    ASSERT_TRUE(covers(false)) << i;
    std::this_thread::sleep_for(1s);  // the window is told
  }
}

TEST_F(ShowFilesWindowTest, ShowsALongNoticeInSeveralLines) {
  constexpr int kTwoLines = 45;
  ControllerTest::start_all();
  std::string text = "/a/folder/with/a/rather/long/name/mix-2026-11-29-201500.mkv: ";
  text += "cannot be written further: No space left on device; the recording ends here, the show ";
  text += "goes on; make room";
  cluster_->publish({"rack2", Severity::fault, "mix.record", text});
  EXPECT_TRUE(until([&] {
    return !areas_below_any(desktop_->screenshot(), kScreen.width / 8, color::kCardHovered,
                            kTwoLines)
                .empty();
  })) << "the end cannot be read";
}

}  // namespace
}  // namespace submix::ui
