// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/sdl_displays.hpp"

#include <SDL.h>

#include <utility>

namespace submix::io {

std::vector<Display> read_displays() {
  std::vector<Display> displays;
  for (int number = 0; number < SDL_GetNumVideoDisplays(); ++number) {
    const char* name = SDL_GetDisplayName(number);
    SDL_Rect bounds{};
    SDL_GetDisplayBounds(number, &bounds);
    SDL_DisplayMode mode{};
    SDL_GetCurrentDisplayMode(number, &mode);
    displays.push_back({.name = name == nullptr ? "" : name,
                        .x = bounds.x,
                        .y = bounds.y,
                        .size = {bounds.w, bounds.h},
                        .refresh_hz = mode.refresh_rate});
  }
  return with_own_names(std::move(displays));
}

}  // namespace submix::io
