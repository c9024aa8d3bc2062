// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/input_queue.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace submix::ui {
namespace {

SDL_Event key(Uint32 type, int sym, int modifiers = 0, bool is_repeated = false) {
  SDL_Event event{};
  event.type = type;
  event.key.repeat = is_repeated ? 1 : 0;
  event.key.keysym.sym = sym;
  event.key.keysym.mod = static_cast<Uint16>(modifiers);
  return event;
}
SDL_Event down(int sym, int modifiers = 0) {
  return key(SDL_KEYDOWN, sym, modifiers);
}
SDL_Event up(int sym, int modifiers = 0) {
  return key(SDL_KEYUP, sym, modifiers);
}
SDL_Event text(char letter) {
  SDL_Event event{};
  event.type = SDL_TEXTINPUT;
  event.text.text[0] = letter;
  return event;
}
SDL_Event motion(int x) {
  SDL_Event event{};
  event.type = SDL_MOUSEMOTION;
  event.motion.x = x;
  return event;
}
SDL_Event button(Uint32 type, int x) {
  SDL_Event event{};
  event.type = type;
  event.button.button = SDL_BUTTON_LEFT;
  event.button.x = x;
  return event;
}

/// Events that arrive while one frame is drawn.
class InputQueueTest : public ::testing::Test {
 protected:
  void add(const std::vector<SDL_Event>& events) {
    for (const auto& event : events)
      queue_.add(event);
  }
  /// How many events each frame sees, until no event waits.
  [[nodiscard]] std::vector<int> frames() {
    std::vector<int> counts;
    while (!queue_.is_empty() && counts.size() < 100) {
      counts.push_back(take_all());
      queue_.end_frame(false);
    }
    return counts;
  }
  int take_all() {
    int count = 0;
    while (queue_.take())
      ++count;
    return count;
  }

  InputQueue queue_;
};

TEST_F(InputQueueTest, ShowsAShortPressToOneFrameAndItsEndToTheNext) {
  add({down(SDLK_RETURN), up(SDLK_RETURN)});
  EXPECT_EQ(frames(), (std::vector{1, 1}));
}

TEST_F(InputQueueTest, ShowsAFrameThatAKeyIsUpBeforeItIsPressedAgain) {
  add({down(SDLK_BACKSPACE), up(SDLK_BACKSPACE), down(SDLK_BACKSPACE), up(SDLK_BACKSPACE)});
  EXPECT_EQ(frames(), (std::vector{1, 1, 1, 1}));
}

TEST_F(InputQueueTest, KeepsControlDownForTheFrameThatSeesItsLetter) {
  add({down(SDLK_LCTRL, KMOD_LCTRL), down(SDLK_a, KMOD_LCTRL), up(SDLK_a, KMOD_LCTRL),
       up(SDLK_LCTRL)});
  EXPECT_EQ(frames(), (std::vector{2, 2}));
}

TEST_F(InputQueueTest, KeepsControlUpForTheFrameThatSeesText) {
  add({down(SDLK_x), text('x'), up(SDLK_x), down(SDLK_RCTRL, KMOD_RCTRL),
       down(SDLK_a, KMOD_RCTRL)});
  EXPECT_EQ(frames(), (std::vector{3, 2}));
}

TEST_F(InputQueueTest, ShowsWordsAtOnceAndTheEnterBehindThemInItsOrder) {
  add({down(SDLK_h), text('h'), up(SDLK_h), down(SDLK_i), text('i'), up(SDLK_i)});
  add({down(SDLK_RETURN), up(SDLK_RETURN), down(SDLK_x), text('x')});
  EXPECT_EQ(frames(), (std::vector{6, 1, 3}));
}

TEST_F(InputQueueTest, ShowsAllRepeatsOfAKeyThatIsHeldDownAtOnce) {
  add({down(SDLK_UP), key(SDL_KEYDOWN, SDLK_UP, 0, true), key(SDL_KEYDOWN, SDLK_UP, 0, true),
       up(SDLK_UP)});
  EXPECT_EQ(frames(), (std::vector{1, 3}));
}

TEST_F(InputQueueTest, KeepsAllForTheFieldThatIsComing) {
  add({down(SDLK_o, KMOD_LCTRL), text('x')});
  EXPECT_EQ(take_all(), 1);
  queue_.end_frame(true);
  EXPECT_EQ(take_all(), 0);
  queue_.end_frame(false);
  EXPECT_EQ(take_all(), 1);
}

TEST_F(InputQueueTest, KeepsTheOrderOfWhatIsPutBack) {
  add({text('x'), text('y')});
  queue_.put_back(*queue_.take());
  EXPECT_EQ(take_all(), 0);
  queue_.end_frame(false);
  EXPECT_EQ(queue_.take()->text.text[0], 'x');
  EXPECT_EQ(queue_.take()->text.text[0], 'y');
}

TEST_F(InputQueueTest, ShowsEachClickOfADoubleClickWhereItWas) {
  add({button(SDL_MOUSEBUTTONDOWN, 7), button(SDL_MOUSEBUTTONUP, 7), button(SDL_MOUSEBUTTONDOWN, 8),
       button(SDL_MOUSEBUTTONUP, 8), motion(50)});
  for (const int x : {7, 7, 8, 8}) {
    EXPECT_EQ(take_all(), 1);
    ASSERT_TRUE(queue_.mouse());
    EXPECT_EQ(queue_.mouse()->x, static_cast<float>(x));
    queue_.end_frame(false);
  }
  EXPECT_EQ(take_all(), 1);
  EXPECT_FALSE(queue_.mouse()) << "it is as SDL knows it";
}

TEST_F(InputQueueTest, ShowsTheButtonsAsTheFrameIsToSeeThem) {
  add({button(SDL_MOUSEBUTTONDOWN, 7), button(SDL_MOUSEBUTTONUP, 7), motion(9)});
  for (const bool is_down : {true, false}) {
    EXPECT_EQ(take_all(), 1);
    ASSERT_TRUE(queue_.mouse());
    EXPECT_EQ(queue_.mouse()->is_down[0], is_down);
    queue_.end_frame(false);
  }
}

TEST_F(InputQueueTest, ShowsHowFarADragWentBeforeItEnds) {
  add({motion(10), motion(90), button(SDL_MOUSEBUTTONUP, 90)});
  EXPECT_EQ(frames(), (std::vector{2, 1}));
}

}  // namespace
}  // namespace submix::ui
