// SPDX-License-Identifier: GPL-3.0-or-later
// The perform mode in the real window: random hands move values and change nothing else.
// SUBMIX_RANDOM_HANDS and SUBMIX_SEED choose how many acts there are, and which. With a number of
// acts, the frames of real nodes have to be in time, too: on a machine that does nothing else.
#include "controller/model/edit/new_show.hpp"
#include "tests/ui/controller_fixture.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <random>

namespace submix::ui {
namespace {

int from_environment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

/// Keys, clicks, drags and turns of the wheel, anywhere. Left out are Ctrl+E, which leaves the
/// mode, and the keys that write files.
class RandomHands {
 public:
  RandomHands(unsigned seed, Size screen) : screen_(screen), random_(seed) {}

  std::string act() {
    switch (number(0, 5)) {
      case 0:
        return fmt::format("{} click {} ", moved(), number(0, 3) == 0 ? 3 : 1);
      case 1:
        return fmt::format("{} mousedown 1 {} {} mouseup 1 ", moved(), moved(), moved());
      case 2:
        return fmt::format("{} click {} ", moved(), number(4, 5));
      case 3:
        return fmt::format("key ctrl+{} ", any_of(kChords));
      case 4:
        return fmt::format("key ctrl+shift+{} ", any_of(kShiftChords));
      default:
        return fmt::format("key {} ", any_of(kPlain));
    }
  }

 private:
  static constexpr std::array kPlain{
      "a",    "d",  "f",    "q",      "s",      "x",      "z",         "space",  "1",
      "9",    "F1", "F8",   "F9",     "F10",    "Tab",    "Return",    "Return", "Escape",
      "Left", "Up", "Down", "Delete", "Delete", "Insert", "BackSpace", "Pause"};
  static constexpr std::array kChords{
      "b", "d", "f", "g",  "i",     "k",      "l",      "m",     "n",     "o",   "p",
      "q", "t", "y", "z",  "space", "1",      "2",      "3",     "4",     "5",   "6",
      "7", "8", "9", "Up", "Down",  "Return", "period", "comma", "minus", "plus"};
  static constexpr std::array kShiftChords{"a", "b", "d", "g", "i", "l",    "m",
                                           "o", "p", "w", "e", "z", "space"};

  int number(int from, int to) { return std::uniform_int_distribution(from, to)(random_); }
  std::string moved() {
    return fmt::format("mousemove {} {}", number(0, screen_.width - 1),
                       number(0, screen_.height - 1));
  }
  template <std::size_t kCount>
  const char* any_of(const std::array<const char*, kCount>& keys) {
    return keys.at(static_cast<std::size_t>(number(0, static_cast<int>(kCount) - 1)));
  }

  const Size screen_;
  std::mt19937 random_;
};

constexpr int kActsAtOnce = 20;
std::string next_acts(RandomHands& hands) {
  std::string commands;
  for (int i = 0; i < kActsAtOnce; ++i)
    commands += hands.act();
  return commands;
}

/// What stays in the perform mode.
show::Show structure_of(show::Show show) {
  show.tempo = {};
  show.next_cue.clear();
  for (auto& knob : show.knobs)
    knob.value = 0;
  for (auto& submix : show.submixes) {
    for (auto& slot : submix.slots) {
      slot.parameters.clear();
      slot.oscillators.clear();
      slot.fades.clear();
      slot.is_bypassed = false;
    }
  }
  return show;
}

int acts_of(int usually) {
  return from_environment("SUBMIX_RANDOM_HANDS", usually);
}

class PerformModeTest : public ControllerTest {
 protected:
  PerformModeTest() {
    show_.knobs = {{"energy", 0.5, {{{"left", "glow"}, "Blur", 0.0, 1.0}}}};
    show_.presets = {{"soft", {"left", "glow"}, {{"Blur", 0.25}}, {}}};
    show_.cues = {{"calm", "", 0, {}, {show::CueParameter{{"left", "glow"}, "Blur", 0.125}}}};
  }
  void use_random_hands(int acts);
};

void PerformModeTest::use_random_hands(int acts) {
  const auto before = show_now();
  desktop_->press("ctrl+e");
  const auto seed = static_cast<unsigned>(from_environment("SUBMIX_SEED", 1));
  RandomHands hands(seed, screen_);
  bool has_moved = false;
  for (int done = 0; done < acts; done += kActsAtOnce) {
    const auto commands = next_acts(hands);
    desktop_->act(commands);
    ASSERT_FALSE(controller_->exit_status()) << "the window has closed; seed " << seed;
    ASSERT_FALSE(transport().is_paused) << "after " << done << " acts, seed " << seed;
    const auto now = show_now();
    ASSERT_TRUE(structure_of(now) == structure_of(before))
        << "after " << done << " acts, seed " << seed << ": " << commands << "\n"
        << show::to_toml(now);
    has_moved = has_moved || !(now == before) || transport().is_black || transport().is_frozen;
  }
  EXPECT_TRUE(has_moved) << "no hand was heard";
}

TEST_F(PerformModeTest, KeepsWhatTheShowConsistsOfUnderRandomHands) {
  start_all({"--page", "perform"});
  use_random_hands(acts_of(160));
}

TEST_F(PerformModeTest, KeepsItInWindowsOfTheirOwn) {
  std::filesystem::create_directories(folder_ / "submix");
  std::ofstream(folder_ / "submix" / "controller.toml")
      << "[windows.patch]\nopen = true\nx = 20\ny = 200\nwidth = 1100\nheight = 660\n"
         "[windows.cues]\nopen = true\nx = 1120\ny = 200\nwidth = 300\nheight = 660\n";
  start_all({"--page", "overview"});
  use_random_hands(acts_of(160));
}

/// Short bars, and outputs behind a button.
class PerformInALowWindowTest : public PerformModeTest {
 protected:
  PerformInALowWindowTest() { screen_ = {1280, 720}; }
};

TEST_F(PerformInALowWindowTest, KeepsWhatTheShowConsistsOfUnderRandomHands) {
  start_all({"--page", "perform"});
  use_random_hands(acts_of(160));
}

class PerformOnRealNodesTest : public ControllerWithNodesTest {
 protected:
  PerformOnRealNodesTest() {
    show_ = model::make_show(
        {.size = {320, 176}, .nodes = {"rack1", "rack2", "desk"}, .has_window = false});
  }
};

TEST_F(PerformOnRealNodesTest, NoRandomHandMakesAFrameLate) {
  start_show({"--page", "perform"});
  const auto before = show_now();
  desktop_->press("ctrl+e");
  const auto seed = static_cast<unsigned>(from_environment("SUBMIX_SEED", 1));
  RandomHands hands(seed, screen_);
  const auto late = late_frames_of("mix");
  const auto frames = frames_of("mix");
  for (int done = 0; done < acts_of(100); done += kActsAtOnce)
    desktop_->act(next_acts(hands));
  EXPECT_TRUE(structure_of(show_now()) == structure_of(before)) << "seed " << seed;
  EXPECT_GT(frames_of("mix"), frames);
  // Where other work shares the processors, a frame may be late whatever hands do.
  if (std::getenv("SUBMIX_RANDOM_HANDS") == nullptr) return;
  EXPECT_EQ(late_frames_of("mix"), late)
      << "of " << frames_of("mix") - frames << " frames, seed " << seed;
}

TEST_F(PerformModeTest, IsLeftByItsKeyAndByHoldingTheButtonAndNotByAClick) {
  start_all({"--page", "overview"});
  const auto submixes = [&] { return show_now().submixes.size(); };
  const Point edit{kScreen.width - 150, 76};
  desktop_->press("ctrl+e");
  ASSERT_TRUE(until([&] { return pixels(color::kAccent) > 1000; })) << "no sign of the mode";
  desktop_->click(edit);
  desktop_->press("ctrl+q Return");
  std::this_thread::sleep_for(500ms);
  EXPECT_FALSE(controller_->exit_status());
  desktop_->press("ctrl+space");
  std::this_thread::sleep_for(500ms);
  EXPECT_FALSE(transport().is_paused);
  EXPECT_EQ(submixes(), show_.submixes.size());
  desktop_->hold(edit);
  std::this_thread::sleep_for(800ms);
  desktop_->release();
  desktop_->press("ctrl+space");
  EXPECT_TRUE(until([&] { return transport().is_paused; })) << "it is still the perform mode";
}

}  // namespace
}  // namespace submix::ui
