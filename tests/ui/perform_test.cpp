// SPDX-License-Identifier: GPL-3.0-or-later
// The perform page in the real window: a knob, cues, and an oscillating parameter.
#include "tests/ui/controller_fixture.hpp"

namespace submix::ui {
namespace {

constexpr int kGoHeightMin = 60;
constexpr Point kTapButton{1167, 454};

class PerformTest : public ControllerTest {
 protected:
  PerformTest() {
    show_.knobs = {{"energy", 0.5, {{{"left", "glow"}, "Blur", 0.0, 1.0}}}};
    show_.cues = {{"calm", "", 0, {}, {show::CueParameter{{"left", "glow"}, "Blur", 0.125}}},
                  {"stop", "", 0, true, {show::CueBypass{{"left", "glow"}, true}}}};
  }
  [[nodiscard]] show::Slot glow() const {
    const auto show = show_now();
    const auto* slot = show.find_slot({"left", "glow"});
    return slot == nullptr ? show::Slot() : *slot;
  }
  [[nodiscard]] double blur() const {
    const auto slot = glow();
    const auto found = slot.parameters.find("Blur");
    return found == slot.parameters.end() ? -1 : std::get<double>(found->second);
  }
  [[nodiscard]] double knob() const {
    const auto show = show_now();
    return show.knobs.empty() ? -1 : show.knobs[0].value;
  }
  [[nodiscard]] std::optional<Point> middle_of(ImU32 color, int height_min) const {
    const auto areas = areas_below_any(desktop_->screenshot(), 0, color, height_min);
    return areas.empty() ? std::nullopt : std::optional(areas.front());
  }
};

TEST_F(PerformTest, TurnsAKnobByHandAsOneStepOfUndo) {
  start_all({"--page", "perform"});
  const auto at = middle_of(color::kCard, kKnobHeightMin);
  ASSERT_TRUE(at) << "no knob";
  desktop_->drag(*at, {at->x, at->y - 54});
  EXPECT_TRUE(until([&] { return knob() > 0.7; })) << knob();
  EXPECT_TRUE(until([&] { return blur() == knob(); })) << blur();
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return knob() == 0.5 && blur() == 0.5; })) << knob() << " " << blur();
}

TEST_F(PerformTest, GivesTheRoomOfCuesToWhatHasSomething) {
  constexpr int kInCues = 1142;     // a column in the left margin of the panels at the right
  constexpr int kCuesMiddle = 170;  // half of an empty panel, from the window's top
  show_.cues.clear();
  start_simulated({"--page", "perform"});
  ASSERT_TRUE(until([&] { return pixels(color::kGood) > 40; })) << "no state of a layer";
  const auto panels = areas_below(desktop_->screenshot(), kInCues, color::kPanel, 60);
  ASSERT_FALSE(panels.empty());
  EXPECT_LE(panels.front().y, kCuesMiddle);
}

TEST_F(PerformTest, TurnsAKnobByTheWheel) {
  start_all({"--page", "perform"});
  const auto at = middle_of(color::kCard, kKnobHeightMin);
  ASSERT_TRUE(at) << "no knob";
  desktop_->turn_wheel(*at, 3);
  EXPECT_TRUE(until([&] { return knob() > 0.5; })) << knob();
}

TEST_F(PerformTest, TurnsTheChosenKnobByKeysAsOneStepOfUndo) {
  show_.knobs.insert(show_.knobs.begin(), show::Knob{"other", 0.25, {}});
  start_all({"--page", "perform"});
  desktop_->press("ctrl+Right");
  desktop_->press("ctrl+Up ctrl+Up ctrl+Up");
  EXPECT_TRUE(until([&] { return blur() > 0.55 && blur() < 0.57; })) << blur();
  EXPECT_EQ(knob(), 0.25) << "the other one";
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return blur() == 0.5; })) << blur();
}

TEST_F(PerformTest, AppliesAPresetAndTurnsAKnobWithoutAMouse) {
  show_.presets = {{"soft", {"left", "glow"}, {{"Blur", 0.25}}, {}},
                   {"hard", {"left", "glow"}, {{"Blur", 0.75}}, {}}};
  start_all({"--page", "perform"});
  desktop_->press("ctrl+shift+Down");
  desktop_->press("ctrl+Return");
  EXPECT_TRUE(until([&] { return blur() == 0.75; })) << blur();
  desktop_->press("ctrl+k");
  desktop_->type("apply soft");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return blur() == 0.25; })) << blur();
  desktop_->press("ctrl+k");
  desktop_->type("energy to 100");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return knob() == 1 && blur() == 1; })) << knob() << " " << blur();
}

TEST_F(PerformTest, TakesTheTempoFromTapsAsOneStepOfUndo) {
  start_all({"--page", "perform"});
  const auto beats = [&] { return show_now().tempo.beats_per_minute; };
  const double before = beats();
  for (int i = 0; i < 5; ++i) {
    desktop_->act(fmt::format("mousemove {} {} click 1", kTapButton.x, kTapButton.y));
    std::this_thread::sleep_for(300ms);
  }
  EXPECT_TRUE(until([&] { return beats() != before; }));
  EXPECT_GT(beats(), 80) << "a loaded machine taps slowly, but hardly so slowly";
  EXPECT_LE(beats(), 200);
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return beats() == before; })) << beats();
}

TEST_F(PerformTest, GoesByTheButtonAndByTheKey) {
  start_all({"--page", "perform"});
  const auto button = middle_of(color::kGood, kGoHeightMin);
  ASSERT_TRUE(button) << "no button to go";
  desktop_->click(*button);
  ASSERT_TRUE(until([&] { return blur() == 0.125; })) << blur();
  EXPECT_EQ(show_now().next_cue, "stop");
  desktop_->press("ctrl+g");
  EXPECT_TRUE(until([&] { return glow().is_bypassed; }));
  EXPECT_TRUE(until([&] { return transport().is_paused; }));
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return !glow().is_bypassed && show_now().next_cue == "stop"; }));
}

// Two windows are open; each sees the follow-on.
TEST_F(PerformTest, LetsTheNextCueFollowByItselfAndStopsItByKey) {
  show_.cues = {{"calm", "", 0, {}, {show::CueParameter{{"left", "glow"}, "Blur", 0.125}}},
                {"loud", "", 0, {}, {show::CueParameter{{"left", "glow"}, "Blur", 0.875}}},
                {"stop", "", 0, true, {show::CueBypass{{"left", "glow"}, true}}}};
  show_.cues[0].follow = show::FollowOn{2, show::FollowUnit::seconds};
  show_.cues[1].follow = show::FollowOn{600, show::FollowUnit::seconds};
  start_all({"--page", "perform"});
  const auto first = std::move(controller_);
  start_controller(nats_->url(), {"--page", "perform"});
  const auto button = middle_of(color::kGood, kGoHeightMin);
  ASSERT_TRUE(button) << "no button to go";
  desktop_->click(*button);
  ASSERT_TRUE(until([&] { return blur() == 0.125; })) << blur();
  ASSERT_TRUE(until([&] { return blur() == 0.875; })) << blur();
  EXPECT_EQ(show_now().next_cue, "stop") << "one of the windows went on, once";
  EXPECT_TRUE(show_now().following);
  desktop_->press("ctrl+shift+f");
  EXPECT_TRUE(until([&] { return !show_now().following; }));
  EXPECT_EQ(show_now().next_cue, "stop");
}

/// A window in which the cues have little room.
class LowCuesTest : public PerformTest {
 protected:
  LowCuesTest() {
    screen_ = {1280, 720};
    show_.cues.push_back(
        {"last", "", 0, {}, {show::CueParameter{{"left", "glow"}, "Blur", 0.875}}});
  }
};

// GO took their room: only the first one was there without scrolling.
TEST_F(LowCuesTest, ShowsTheNextCueAndTwoMoreBelowGo) {
  constexpr Point kThirdCue{1071, 245};
  start_all({"--page", "perform"});
  desktop_->click(kThirdCue);
  EXPECT_TRUE(until([&] { return blur() == 0.875; })) << blur();
}

}  // namespace
}  // namespace submix::ui
