// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the list of this machine's displays at once, and again after each change, for a node
// without a window.

#include "common/base/version_option.hpp"
#include "node/io/window/display_list_text.hpp"
#include "node/io/window/output_changes.hpp"
#include "node/io/window/sdl_displays.hpp"

#include <SDL.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace submix;

constexpr Uint32 kPeriodMs = 500;  // fast enough for a person who has plugged in a display

// Without a session at a screen SDL is not started: it would take over the console.
bool start_video() {
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
  if (SDL_getenv("SDL_VIDEODRIVER") == nullptr) SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11,wayland");
  return SDL_InitSubSystem(SDL_INIT_VIDEO) == 0;
}

bool write_out(const std::string& text) {
  return ::write(STDOUT_FILENO, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (has_told_version("submix-displays", argc, argv)) return 0;
  if (!start_video()) {
    fmt::print(stderr, "submix-displays: no display server answers: {}\n", SDL_GetError());
    return 1;
  }
  io::hear_output_changes();
  std::optional<std::vector<Display>> written;
  for (;; SDL_Delay(kPeriodMs)) {
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0)
      io::follow_output_change(event);
    auto present = io::read_displays();
    if (written == present) continue;
    if (!write_out(io::display_list_text(present))) return 1;
    written = std::move(present);
  }
}
