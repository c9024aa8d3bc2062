// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/key_strokes.hpp"

#include "controller/ui/draw/tour_state.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/edits/show_files.hpp"
#include "controller/ui/pages/several_pcs_state.hpp"
#include "controller/ui/pages/wall.hpp"
#include "controller/ui/shell/command_palette.hpp"
#include "controller/ui/shell/pc_check_state.hpp"
#include "controller/ui/shell/quit.hpp"

#include <SDL_keycode.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace submix::ui {
namespace {

bool is_latin(int key) {
  return key < 0x80 || (key & SDLK_SCANCODE_MASK) != 0;  // an ASCII letter, or no letter at all
}

bool is_letter_or_digit(int key) {
  return (key >= SDLK_a && key <= SDLK_z) || (key >= SDLK_0 && key <= SDLK_9);
}

// The letter or digit at this place of a Latin keyboard. 0: neither.
int letter_at(int place) {
  if (place >= SDL_SCANCODE_A && place <= SDL_SCANCODE_Z) return SDLK_a + (place - SDL_SCANCODE_A);
  return 0;
}
int digit_at(int place) {
  if (place >= SDL_SCANCODE_1 && place <= SDL_SCANCODE_9) return SDLK_1 + (place - SDL_SCANCODE_1);
  if (place == SDL_SCANCODE_0) return SDLK_0;
  return 0;
}

}  // namespace

KeyPress press_of(const KeyStroke& stroke) {
  if ((stroke.modifiers & (KMOD_ALT | KMOD_GUI)) != 0) return {};
  KeyPress press{stroke.key, (stroke.modifiers & KMOD_CTRL) != 0,
                 (stroke.modifiers & KMOD_SHIFT) != 0};
  if (press.key == SDLK_KP_PLUS) press.key = SDLK_PLUS;
  if (press.key == SDLK_KP_MINUS) press.key = SDLK_MINUS;
  if (press.key == SDLK_EQUALS && press.has_shift) return {SDLK_PLUS, press.has_control, false};
  if (find_command(press) != nullptr) return press;
  const int letter = is_latin(press.key) ? 0 : letter_at(stroke.place);
  const int digit = is_letter_or_digit(press.key) ? 0 : digit_at(stroke.place);
  if (letter != 0) press.key = letter;
  if (digit != 0) press.key = digit;
  return press;
}

bool has_main_dialog(const PanelState& state) {
  return state.files->dialog != FileDialog::none || state.editing->settings.is_open ||
         state.quit->is_wanted || state.several_pcs->is_open;
}

// The last one to be drawn first.
bool close_topmost(PanelState& state) {
  const auto close = [](bool& is_open) { return std::exchange(is_open, false); };
  const auto end = [](auto& thing) { return std::exchange(thing, std::nullopt).has_value(); };
  return close(state.quit->is_wanted) || end(state.tour->step) ||
         std::exchange(state.editing->settings, {}).is_open ||
         std::exchange(state.files->dialog, FileDialog::none) != FileDialog::none ||
         close(state.several_pcs->is_open) || close(state.pc_check->is_open) ||
         close(state.is_help_open) || end(state.wall->large) || end(state.perform->renaming);
}

bool acts_while_typing(const KeyPress& press) {
  if (press.has_shift) return false;
  if (!press.has_control) return press.key == SDLK_F11;
  return press.key == SDLK_PERIOD || press.key == SDLK_f || press.key == SDLK_r;
}

bool moves_among_controls(const KeyPress& press, const PanelState& state) {
  if (!state.has_arrow_keys || press.has_control) return false;
  constexpr std::array<int, 5> kKeys{SDLK_UP, SDLK_DOWN, SDLK_LEFT, SDLK_RIGHT, SDLK_SPACE};
  return std::ranges::find(kKeys, press.key) != kKeys.end();
}

bool is_typed_into(const PanelState& state) {
  return state.palette->is_open || has_main_dialog(state);
}

bool is_heard(const KeyPress& press, const PanelState& state) {
  if (press.key == 0 || moves_among_controls(press, state)) return false;
  return press.has_control || !is_typed_into(state) || acts_while_typing(press);
}

}  // namespace submix::ui
