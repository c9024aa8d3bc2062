// SPDX-License-Identifier: GPL-3.0-or-later
// Loaded into the controller by LD_PRELOAD: gives it the fingers of a touch screen, which a virtual
// screen does not have. The file SUBMIX_TOUCHES has lines "down 1 0.5 0.5 0", "move …" and "up …":
// the finger, x and y as parts of the window, and the window. Window 0 is the main one. "close 1"
// closes the second of the windows, as their frame does. "drop FILE" drops a file of this name
// where the mouse is. SDL's events are pushed before SDL waits for any.
#include <SDL_events.h>
#include <SDL_stdinc.h>
#include <SDL_video.h>

#include <dlfcn.h>

#include <cstdlib>
#include <fstream>
#include <ios>
#include <sstream>
#include <string>

namespace {

template <typename Function>
Function* next_of(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// Of those that are open, the oldest one has the index 0: the main window.
Uint32 window_at(int index) {
  constexpr Uint32 kWindowsMax = 16;
  auto* find = next_of<SDL_Window*(Uint32)>("SDL_GetWindowFromID");
  for (Uint32 id = 1; id < kWindowsMax; ++id) {
    if (find(id) != nullptr && index-- == 0) return id;
  }
  return 0;
}

void push(SDL_Event event) {
  next_of<int(SDL_Event*)>("SDL_PushEvent")(&event);
}

void push_close(int window) {
  SDL_Event event{};
  event.type = SDL_WINDOWEVENT;
  event.window.event = SDL_WINDOWEVENT_CLOSE;
  event.window.windowID = window_at(window);
  push(event);
}

void push_drop(const std::string& file) {
  SDL_Event event{};
  event.type = SDL_DROPFILE;
  event.drop.file = next_of<char*(const char*)>("SDL_strdup")(file.c_str());
  event.drop.windowID = window_at(0);
  push(event);
}

void push(const std::string& line) {
  static const std::string kDrop = "drop ";
  if (line.starts_with(kDrop)) return push_drop(line.substr(kDrop.size()));
  std::istringstream words(line);
  std::string verb;
  SDL_Event event{};
  SDL_FingerID finger = 0;
  words >> verb >> finger;
  if (verb == "close") return push_close(static_cast<int>(finger));
  int window = 0;
  words >> event.tfinger.x >> event.tfinger.y >> window;
  event.type = verb == "down" ? SDL_FINGERDOWN : verb == "up" ? SDL_FINGERUP : SDL_FINGERMOTION;
  event.tfinger.touchId = 1;
  event.tfinger.fingerId = finger;
  event.tfinger.windowID = window_at(window);
  push(event);
}

// The lines that have come since the last look.
void push_new_touches() {
  static std::streamoff read = 0;
  const char* file = std::getenv("SUBMIX_TOUCHES");
  if (file == nullptr) return;
  std::ifstream lines(file);
  lines.seekg(read);
  std::string line;
  while (std::getline(lines, line) && !lines.eof()) {
    push(line);
    read = lines.tellg();
  }
}

}  // namespace

extern "C" int SDL_WaitEventTimeout(SDL_Event* event, int timeout) {
  push_new_touches();
  return next_of<int(SDL_Event*, int)>("SDL_WaitEventTimeout")(event, timeout);
}
