// SPDX-License-Identifier: GPL-3.0-or-later
// The perform page in the real window: a knob, cues, and an oscillating parameter.
#include "controller/model/edit/show_changes.hpp"
#include "tests/ui/controller_fixture.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <ratio>
#include <vector>

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

/// A tap lies between these.
struct Tap {
  std::chrono::steady_clock::time_point begun;
  std::chrono::steady_clock::time_point ended;
};

/// Beats per minute.
struct Tempos {
  double least = std::numeric_limits<double>::max();
  double greatest = 0;
};

/// Bounds of the tempo, by the longest and the shortest possible time between two taps.
Tempos tempos_of(const std::vector<Tap>& taps) {
  using Minutes = std::chrono::duration<double, std::ratio<60>>;
  Tempos tempos;
  for (std::size_t i = 1; i < taps.size(); ++i) {
    const Minutes longest = taps[i].ended - taps[i - 1].begun;
    const Minutes shortest = taps[i].begun - taps[i - 1].ended;
    tempos.least = std::min(tempos.least, 1 / longest.count());
    tempos.greatest = std::max(tempos.greatest, 1 / shortest.count());
  }
  return tempos;
}

TEST_F(PerformTest, TakesTheTempoFromTapsAsOneStepOfUndo) {
  constexpr double kTenth = 0.1;  // the window sees a tap in its next frame
  start_all({"--page", "perform"});
  const auto beats = [&] { return show_now().tempo.beats_per_minute; };
  const double before = beats();
  std::vector<Tap> taps;
  const auto tap = [&] {
    const auto begun = std::chrono::steady_clock::now();
    desktop_->act(fmt::format("mousemove {} {} click 1", kTapButton.x, kTapButton.y));
    taps.push_back({begun, std::chrono::steady_clock::now()});
  };
  // On a slow machine there may be more: two seconds without a tap begin anew.
  ASSERT_TRUE(until([&] {
    tap();
    std::this_thread::sleep_for(100ms);
    return taps.size() >= 5 && beats() != before;
  }));
  const auto tempos = tempos_of(taps);
  const double tapped = beats();
  EXPECT_GE(tapped, tempos.least * (1 - kTenth));
  EXPECT_LE(tapped, tempos.greatest * (1 + kTenth));
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
// By keys alone: the command palette leads to the field.
TEST_F(PerformTest, RenamesACueAPresetAndALayerWithoutAMouse) {
  show_.presets = {{"soft", {"left", "glow"}, {{"Blur", 0.25}}, {}}};
  show_.cues[1].changes = {show::CuePreset{"soft"}};
  start_all({"--page", "perform"});
  const auto rename = [&](const std::string& command, const std::string& name) {
    desktop_->press("ctrl+k");
    desktop_->type(command);
    desktop_->press("Return");
    desktop_->act("sleep 0.5");
    desktop_->type(name);
  };
  const auto cue = [&](std::size_t at) { return show_now().cues.at(at); };
  rename("rename cue calm", "intro");
  desktop_->press("Escape");
  rename("rename cue calm", "stop");
  desktop_->press("Return");
  desktop_->act("sleep 0.5");
  EXPECT_EQ(cue(0).name, "calm") << "left by Escape, and refused: the name is taken";
  desktop_->press("ctrl+a");
  desktop_->type("start");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return cue(0).name == "start"; })) << cue(0).name;
  rename("rename preset soft", "gentle");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return show_now().presets[0].name == "gentle"; }));
  EXPECT_EQ(std::get<show::CuePreset>(cue(1).changes[0]).preset, "gentle");
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return show_now().presets[0].name == "soft"; }));
  EXPECT_EQ(cue(0).name, "start") << "a step of its own";
  rename("rename layer left", "intro");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return show_now().find_submix("intro") != nullptr; }));
}

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

/// MIDI controls were learnt for the first cue and a parameter.
class LearntControlsTest : public PerformTest {
 protected:
  void SetUp() override {
    PerformTest::SetUp();
    std::filesystem::create_directory(folder_ / "submix");
    ASSERT_TRUE(write_file_atomically(folder_ / "submix/control.toml", R"([midi]
on = false
[[midi.mapping]]
device = "nano"
control = "note 7"
target = "go calm"
[[midi.mapping]]
device = "nano"
control = "cc 7"
target = "left.glow.Blur"
)"));
  }
  [[nodiscard]] bool is_learnt(const std::string& target) const {
    const auto settings = read_text_file(folder_ / "submix/control.toml").value_or("");
    return settings.find(target) != std::string::npos;
  }
};

TEST_F(LearntControlsTest, FollowTheNamesThatAnotherPersonGives) {
  start_all({"--page", "overview"});
  ASSERT_TRUE(is_learnt("go calm"));
  const auto put = [&](const show::Show& show) {
    const auto before = cluster_->show();
    ASSERT_TRUE(before);
    ASSERT_TRUE(cluster_->put_show({show::to_toml(show), "somebody"}, before->revision));
  };
  const auto rename = [&](const char* name) {
    auto show = show_now();
    show.cues[0].name = name;
    put(show);
  };
  rename("start");
  EXPECT_TRUE(until([&] { return is_learnt("go start"); }));
  rename("calm");
  EXPECT_TRUE(until([&] { return is_learnt("go calm"); })) << "back";
  auto show = show_now();
  const auto renaming = model::rename_submix(show, "left", "intro");
  ASSERT_TRUE(renaming) << renaming.error().message;
  ASSERT_TRUE(model::apply(show, *renaming));
  put(show);
  EXPECT_TRUE(until([&] { return is_learnt("intro.glow.Blur"); }));
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

TEST_F(LowCuesTest, MovesACueByADragAndTheNextCueStaysTheNextOne) {
  constexpr Point kFirst{1043, 188};
  constexpr Point kBelowThird{1060, 255};
  start_all({"--page", "perform"});
  desktop_->drag(kFirst, kBelowThird);
  EXPECT_TRUE(until([&] { return show_now().cues.back().name == "calm"; }));
  EXPECT_EQ(show_now().next_cue, "calm");
  EXPECT_EQ(blur(), 0.5) << "a drag is no press";
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return show_now().cues.front().name == "calm"; }));
}

// The countdown of a follow-on pushed the next cue out of view.
TEST_F(LowCuesTest, ShowsTheNextCueDuringAFollowOn) {
  constexpr int kInCues = 1006;  // a column of pixels left of the names
  show_.cues.push_back({"more", "", 0, {}, {}});
  show_.cues[2].follow = show::FollowOn{600, show::FollowUnit::seconds};
  show_.next_cue = "last";
  start_all({"--page", "perform"});
  desktop_->press("ctrl+g");
  ASSERT_TRUE(until([&] { return show_now().following.has_value(); }));
  EXPECT_EQ(show_now().next_cue, "more");
  const auto rows = [&] {
    return areas_below(desktop_->screenshot(), kInCues, color::kChosen, 16).size();
  };
  EXPECT_TRUE(until([&] { return rows() == 1; })) << "the next cue is marked";
}

}  // namespace
}  // namespace submix::ui
