// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/touch_input.hpp"

#include "controller/ui/shell/input_queue.hpp"

#include <SDL_touch.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace submix::ui {
namespace {

using namespace std::chrono_literals;

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Size kWindow{1000, 500};

class TouchInputTest : public ::testing::Test {
 protected:
  void finger(Uint32 type, float x, float y, SDL_FingerID id = 1) {
    SDL_TouchFingerEvent event{};
    event.type = type;
    event.fingerId = id;
    event.x = x / 1000;
    event.y = y / 500;
    touch_.process(event, kWindow, now_);
  }
  void wait(std::chrono::milliseconds time, bool is_menu_open = false) {
    now_ += time;
    touch_.advance(now_, is_menu_open);
  }
  // "move 10 20", "left down 10 20", "wheel 0 0.5"; the mouse that leaves is "away".
  std::vector<std::string> heard() {
    std::vector<std::string> words;
    while (const auto event = touch_.take())
      words.push_back(text_of(*event));
    return words;
  }
  static std::string text_of(const SDL_Event& event) {
    if (event.type == SDL_MOUSEWHEEL)
      return fmt::format("wheel {:.2f} {:.2f}", event.wheel.preciseX, event.wheel.preciseY);
    if (event.type == SDL_MOUSEMOTION)
      return event.motion.x < 0 ? "away"
                                : fmt::format("move {} {}", event.motion.x, event.motion.y);
    return fmt::format("{} {} {} {}", event.button.button == SDL_BUTTON_LEFT ? "left" : "right",
                       event.type == SDL_MOUSEBUTTONDOWN ? "down" : "up", event.button.x,
                       event.button.y);
  }

  TouchInput touch_;
  LocalTime now_{1h};
};

TEST_F(TouchInputTest, MakesAClickOfATap) {
  finger(SDL_FINGERDOWN, 100, 50);
  EXPECT_THAT(heard(), ElementsAre("move 100 50"));
  now_ += 80ms;
  finger(SDL_FINGERUP, 102, 50);
  EXPECT_THAT(heard(), ElementsAre("move 102 50", "left down 102 50", "left up 102 50", "away"));
  EXPECT_FALSE(touch_.is_touching());
}

TEST_F(TouchInputTest, DragsAFaderFromWhereTheFingerCameDown) {
  finger(SDL_FINGERDOWN, 100, 50);
  finger(SDL_FINGERMOTION, 105, 50);
  EXPECT_THAT(heard(), ElementsAre("move 100 50")) << "a finger is not that steady";
  finger(SDL_FINGERMOTION, 130, 50);
  EXPECT_THAT(heard(), ElementsAre("move 100 50", "left down 100 50", "move 130 50"));
  wait(2s);
  finger(SDL_FINGERMOTION, 200, 60);
  finger(SDL_FINGERUP, 200, 60);
  EXPECT_THAT(heard(), ElementsAre("move 200 60", "left up 200 60", "away"));
}

// The fader below the finger keeps its value.
TEST_F(TouchInputTest, MakesARightClickOfALongPressAndNoLeftOne) {
  finger(SDL_FINGERDOWN, 100, 50);
  wait(500ms);
  wait(100ms);
  EXPECT_THAT(heard(),
              ElementsAre("move 100 50", "move 100 50", "right down 100 50", "right up 100 50"));
  wait(1s, true);
  finger(SDL_FINGERUP, 100, 50);
  EXPECT_THAT(heard(), ElementsAre("away"));
}

TEST_F(TouchInputTest, HoldsAButtonWhereALongPressOpensNoMenu) {
  finger(SDL_FINGERDOWN, 100, 50);
  wait(600ms);
  heard();
  wait(300ms);
  EXPECT_THAT(heard(), ElementsAre("left down 100 50")) << "EDIT is held";
  wait(1s);
  finger(SDL_FINGERUP, 100, 50);
  EXPECT_THAT(heard(), ElementsAre("left up 100 50", "away"));
}

TEST_F(TouchInputTest, ScrollsByTwoFingersWithoutAClick) {
  finger(SDL_FINGERDOWN, 100, 50);
  finger(SDL_FINGERDOWN, 200, 50, 2);
  heard();
  finger(SDL_FINGERMOTION, 100, 200, 1);
  finger(SDL_FINGERMOTION, 200, 200, 2);
  EXPECT_THAT(heard(), ElementsAre("wheel 0.00 1.00", "wheel 0.00 1.00"));
  finger(SDL_FINGERUP, 100, 200, 1);
  finger(SDL_FINGERMOTION, 200, 300, 2);
  finger(SDL_FINGERUP, 200, 300, 2);
  EXPECT_THAT(heard(), ElementsAre("away")) << "the rest of the gesture counts no more";
  finger(SDL_FINGERDOWN, 10, 10, 3);
  EXPECT_THAT(heard(), ElementsAre("move 10 10")) << "a new gesture";
}

TEST_F(TouchInputTest, LetsGoOfAFaderWhenASecondFingerComes) {
  finger(SDL_FINGERDOWN, 100, 50);
  finger(SDL_FINGERMOTION, 150, 50);
  heard();
  finger(SDL_FINGERDOWN, 200, 50, 2);
  EXPECT_THAT(heard(), ElementsAre("left up 150 50"));
}

TEST_F(TouchInputTest, PutsASecondTapWhereTheFirstOneWas) {
  finger(SDL_FINGERDOWN, 100, 50);
  finger(SDL_FINGERUP, 100, 50);
  heard();
  now_ += 200ms;
  finger(SDL_FINGERDOWN, 115, 55);
  finger(SDL_FINGERUP, 115, 55);
  EXPECT_THAT(heard(), ElementsAre("move 115 55", "move 100 50", "left down 100 50",
                                   "left up 100 50", "away"));
}

TEST_F(TouchInputTest, KnowsTheMouseEventsThatSystemsSendBesides) {
  EXPECT_FALSE(touch_.is_echo(now_));
  finger(SDL_FINGERDOWN, 100, 50);
  EXPECT_TRUE(touch_.is_echo(now_));
  finger(SDL_FINGERUP, 100, 50);
  EXPECT_TRUE(touch_.is_echo(now_ + 100ms));
  EXPECT_FALSE(touch_.is_echo(now_ + 1s));
}

TEST_F(TouchInputTest, SurvivesFingersThatNeverCameOrNeverWent) {
  finger(SDL_FINGERUP, 1, 1, 9);
  finger(SDL_FINGERMOTION, 1, 1, 9);
  EXPECT_THAT(heard(), IsEmpty());
  for (SDL_FingerID id = 1; id < 8; ++id)
    finger(SDL_FINGERDOWN, 10, 10, id);
  for (SDL_FingerID id = 7; id > 0; --id)
    finger(SDL_FINGERUP, 10, 10, id);
  heard();
  EXPECT_FALSE(touch_.is_touching());
}

// A finger's mouse stays where it is told, because SDL's own mouse is elsewhere.
TEST(InputQueue, KeepsTheMouseOfAFinger) {
  InputQueue queue;
  SDL_Event event{};
  event.type = SDL_MOUSEMOTION;
  event.motion.which = SDL_TOUCH_MOUSEID;
  event.motion.x = 30;
  event.motion.y = 40;
  queue.add(event);
  ASSERT_TRUE(queue.take());
  ASSERT_TRUE(queue.mouse());
  EXPECT_EQ(queue.mouse()->x, 30);
  event.motion.which = 0;
  queue.add(event);
  ASSERT_TRUE(queue.take());
  EXPECT_FALSE(queue.mouse()) << "the real mouse is where SDL says";
}

}  // namespace
}  // namespace submix::ui
