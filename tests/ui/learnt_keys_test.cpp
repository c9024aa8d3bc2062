// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/learnt_keys.hpp"

#include <SDL_keycode.h>
#include <gtest/gtest.h>

namespace submix::ui {
namespace {

TEST(LearntKeysTest, AreThoseThatNothingElseHas) {
  EXPECT_TRUE(can_be_learnt({SDLK_b}));
  EXPECT_TRUE(can_be_learnt({SDLK_SPACE}));
  EXPECT_TRUE(can_be_learnt({SDLK_KP_1}));
  EXPECT_TRUE(can_be_learnt({SDLK_F12}));
  EXPECT_TRUE(can_be_learnt({SDLK_b, false, true}));
  EXPECT_FALSE(can_be_learnt({SDLK_PERIOD, true})) << "BLACK-OUT";
  EXPECT_FALSE(can_be_learnt({SDLK_1, true})) << "a page";
  EXPECT_FALSE(can_be_learnt({SDLK_ESCAPE}));
  EXPECT_FALSE(can_be_learnt({SDLK_LSHIFT, false, true}));
  EXPECT_FALSE(can_be_learnt({}));
}

TEST(LearntKeysTest, AreNamedAsPeopleRead) {
  LearntKeys keys;
  EXPECT_EQ(keys.press({SDLK_b, false, true}, 5).key.key, "Shift+B");
  EXPECT_EQ(keys.press({SDLK_SPACE, true}, 44).key.key, "Ctrl+Space");
  EXPECT_EQ(keys.press({SDLK_KP_1}, 89).key.key, "Keypad 1");
  EXPECT_EQ(keys.press({SDLK_HOME}, 74).key.key, "Home");
}

TEST(LearntKeysTest, AreReleasedAsTheyWerePressed) {
  LearntKeys keys;
  static_cast<void>(keys.press({SDLK_b, false, true}, 5));
  const auto released = keys.release(5);
  ASSERT_TRUE(released);
  EXPECT_EQ(released->key.key, "Shift+B") << "though Shift may be up by now";
  EXPECT_FALSE(released->is_down);
  EXPECT_FALSE(keys.release(5)) << "once";
}

TEST(LearntKeysTest, AreAllReleasedWhenTheKeyboardLeaves) {
  LearntKeys keys;
  static_cast<void>(keys.press({SDLK_b}, 5));
  static_cast<void>(keys.press({SDLK_c}, 6));
  EXPECT_EQ(keys.release_all().size(), 2U);
  EXPECT_TRUE(keys.release_all().empty());
}

}  // namespace
}  // namespace submix::ui
