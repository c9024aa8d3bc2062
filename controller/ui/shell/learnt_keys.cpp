// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/learnt_keys.hpp"

#include "controller/ui/pages/pages.hpp"

#include <SDL_keycode.h>

#include <algorithm>
#include <array>
#include <utility>

namespace submix::ui {
namespace {

// Of dialogs, menus and text fields.
constexpr std::array<int, 5> kWindowKeys{SDLK_ESCAPE, SDLK_RETURN, SDLK_KP_ENTER, SDLK_TAB,
                                         SDLK_BACKSPACE};
constexpr std::array<int, 12> kModifiers{
    SDLK_LSHIFT, SDLK_RSHIFT, SDLK_LCTRL,    SDLK_RCTRL,        SDLK_LALT,       SDLK_RALT,
    SDLK_LGUI,   SDLK_RGUI,   SDLK_CAPSLOCK, SDLK_NUMLOCKCLEAR, SDLK_SCROLLLOCK, SDLK_MODE};

bool opens_page(const KeyPress& press) {
  for (std::size_t i = 0; i < pages().size(); ++i) {
    if (press == page_key(i)) return true;
  }
  return false;
}

}  // namespace

bool can_be_learnt(const KeyPress& press) {
  const auto is_among = [&](const auto& keys) {
    return std::ranges::find(keys, press.key) != keys.end();
  };
  return press.key != 0 && !is_among(kWindowKeys) && !is_among(kModifiers) &&
         find_command(press) == nullptr && !opens_page(press);
}

input::PressKey LearntKeys::press(const KeyPress& press, int place) {
  input::KeyControl key{keys_text(press)};
  held_.insert_or_assign(place, key);
  return {std::move(key), true};
}

std::optional<input::PressKey> LearntKeys::release(int place) {
  const auto held = held_.extract(place);
  if (held.empty()) return std::nullopt;
  return input::PressKey{held.mapped(), false};
}

std::vector<input::PressKey> LearntKeys::release_all() {
  std::vector<input::PressKey> released;
  for (auto& [place, key] : std::exchange(held_, {}))
    released.push_back({key, false});
  return released;
}

}  // namespace submix::ui
