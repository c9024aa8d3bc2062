// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/key_strokes.hpp"
#include "controller/ui/edits/show_files.hpp"
#include "controller/ui/pages/several_pcs_state.hpp"
#include "controller/ui/shell/command_palette.hpp"

#include <SDL_keycode.h>
#include <gtest/gtest.h>

namespace submix::ui {
namespace {

constexpr int kCyrillicYa = 0x44F;  // on the place of Z

TEST(KeyStrokes, AreTheirOwnKeysWithTheirModifiers) {
  EXPECT_EQ(press_of({SDLK_z, SDL_SCANCODE_Z, KMOD_LCTRL | KMOD_LSHIFT}),
            (KeyPress{SDLK_z, true, true}));
  EXPECT_EQ(press_of({SDLK_F8, SDL_SCANCODE_F8, 0}), (KeyPress{SDLK_F8, false, false}));
}

TEST(KeyStrokes, AreNoCommandsWhileAltOrTheWindowManagersKeyIsHeld) {
  EXPECT_EQ(press_of({SDLK_g, SDL_SCANCODE_G, KMOD_LALT}), KeyPress{});
  EXPECT_EQ(press_of({SDLK_SPACE, SDL_SCANCODE_SPACE, KMOD_LGUI}), KeyPress{});
}

TEST(KeyStrokes, CountByTheirPlaceWhereTheLayoutHasNoLatinLetters) {
  EXPECT_EQ(press_of({kCyrillicYa, SDL_SCANCODE_Z, KMOD_LCTRL}), (KeyPress{SDLK_z, true, false}));
}

TEST(KeyStrokes, CountByTheirPlaceWhereTheLayoutHasNoDigitsWithoutShift) {
  EXPECT_EQ(press_of({SDLK_AMPERSAND, SDL_SCANCODE_1, KMOD_LCTRL}),
            (KeyPress{SDLK_1, true, false}));
}

TEST(KeyStrokes, CountByTheLayoutWhereItHasTheLetterElsewhere) {
  EXPECT_EQ(press_of({SDLK_y, SDL_SCANCODE_Z, KMOD_LCTRL}), (KeyPress{SDLK_y, true, false}));
}

TEST(KeyStrokes, TakeEachPlusAndMinusForTheSame) {
  for (const auto& plus : {KeyStroke{SDLK_EQUALS, SDL_SCANCODE_EQUALS, KMOD_LCTRL | KMOD_LSHIFT},
                           KeyStroke{SDLK_KP_PLUS, SDL_SCANCODE_KP_PLUS, KMOD_LCTRL},
                           KeyStroke{SDLK_EQUALS, SDL_SCANCODE_EQUALS, KMOD_LCTRL}}) {
    const auto* command = find_command(press_of(plus));
    ASSERT_NE(command, nullptr);
    EXPECT_EQ(command->title, "Larger");
  }
  const auto* command = find_command(press_of({SDLK_KP_MINUS, SDL_SCANCODE_KP_MINUS, KMOD_LCTRL}));
  ASSERT_NE(command, nullptr);
  EXPECT_EQ(command->title, "Smaller");
}

TEST(KeyStrokes, RunNothingWithoutControlWhileADialogOrThePaletteIsOpen) {
  PanelState state;
  const KeyPress letter{SDLK_g, false, false};
  const KeyPress save{SDLK_s, true, false};
  EXPECT_TRUE(is_heard(letter, state));
  state.files->dialog = FileDialog::begin;
  EXPECT_FALSE(is_heard(letter, state));
  EXPECT_FALSE(is_heard({SDLK_F1, false, false}, state));
  EXPECT_TRUE(is_heard(save, state));
  state.files->dialog = FileDialog::none;
  state.palette->is_open = true;
  EXPECT_FALSE(is_heard(letter, state));
}

TEST(KeyStrokes, OfTheOutputsActAlsoWhilePeopleType) {
  PanelState state;
  state.files->dialog = FileDialog::save;
  for (const auto* title :
       {"Black-out of all outputs, or light again", "Freeze all outputs, or let them move again",
        "Full screen of all outputs, or windows again", "Record the mix, or stop recording"}) {
    const auto command = std::ranges::find(commands(), std::string_view(title), &Command::title);
    ASSERT_NE(command, commands().end()) << title;
    EXPECT_TRUE(acts_while_typing(command->keys[0])) << title;
    EXPECT_TRUE(is_heard(command->keys[0], state)) << title;
  }
  for (const int key : {SDLK_a, SDLK_c, SDLK_v, SDLK_x, SDLK_z, SDLK_s, SDLK_SPACE})
    EXPECT_FALSE(acts_while_typing({key, true, false})) << key;
  EXPECT_FALSE(acts_while_typing({SDLK_PERIOD, false, false}));
}

TEST(KeyStrokes, OfTheArrowsAreNotHeardWhileTheyMoveAmongControls) {
  PanelState state;
  for (const int key : {SDLK_UP, SDLK_SPACE}) {
    EXPECT_TRUE(is_heard({key}, state));
    state.has_arrow_keys = true;
    EXPECT_FALSE(is_heard({key}, state));
    EXPECT_TRUE(is_heard({key, true}, state)) << "a command's, with Ctrl";
    state.has_arrow_keys = false;
  }
}

// One press closed all dialogs.
TEST(CloseTopmost, ClosesOneThingAtATime) {
  PanelState state;
  EXPECT_FALSE(close_topmost(state));
  state.is_help_open = true;
  state.several_pcs->is_open = true;
  state.files->dialog = FileDialog::begin;
  EXPECT_TRUE(close_topmost(state));
  EXPECT_EQ(state.files->dialog, FileDialog::none);
  EXPECT_TRUE(state.several_pcs->is_open);
  EXPECT_TRUE(close_topmost(state));
  EXPECT_FALSE(state.several_pcs->is_open);
  EXPECT_TRUE(state.is_help_open);
  EXPECT_TRUE(close_topmost(state));
  EXPECT_FALSE(state.is_help_open);
  EXPECT_FALSE(close_topmost(state));
}

}  // namespace
}  // namespace submix::ui
