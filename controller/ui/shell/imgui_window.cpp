// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/imgui_window.hpp"

#include "common/base/display_server.hpp"
#include "controller/ui/draw/other_letters.hpp"

#include <SDL.h>
#include <imgui_internal.h>
#if __has_include(<backends/imgui_impl_sdl2.h>)
#include <backends/imgui_impl_sdl2.h>
#else
#include <backends/imgui_impl_sdl.h>
#endif

#include <algorithm>
#include <array>
#include <cfloat>

namespace submix::ui {
namespace {

// The last word on the mouse before a frame. ImGui 1.87 and later queue the back end's words and
// read them after what stands in ImGuiIO, so they must be followed by a word of the same kind.
void place_mouse(ImVec2 place) {
  auto& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  io.AddMousePosEvent(place.x, place.y);
#else
  io.MousePos = place;
#endif
}

void set_mouse_buttons(const std::array<bool, 3>& is_down) {
  auto& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  for (int button = 0; const bool is_button_down : is_down)
    io.AddMouseButtonEvent(button++, is_button_down);
#else
  std::ranges::fill(io.MouseDown, false);
  std::ranges::copy(is_down, io.MouseDown);
#endif
}

// The back end gives the window with the keyboard the mouse's place and buttons also where another
// window of this program lies above. A drag that began in this window goes on there.
void leave_mouse_to(const SDL_Window* other) {
  if (other == nullptr) return;
  place_mouse(ImVec2(-FLT_MAX, -FLT_MAX));
  set_mouse_buttons({});
}

}  // namespace

void start_imgui_on(SDL_Window* window) {
  auto& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.BackendRendererName = "submix";
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
#if IMGUI_VERSION_NUM >= 18700
  io.ConfigInputTrickleEventQueue = false;  // InputQueue decides what a frame sees
  ImGui_ImplSDL2_InitForSDLRenderer(window, SDL_GetRenderer(window));
#else
  ImGui_ImplSDL2_InitForSDLRenderer(window);
#endif
}

void end_imgui() {
  ImGui_ImplSDL2_Shutdown();
}

void pass_to_imgui(const SDL_Event& event) {
  if (event.type == SDL_MOUSEWHEEL && event.wheel.which == SDL_TOUCH_MOUSEID) {
    ImGui::GetIO().MouseWheel += event.wheel.preciseY;  // the back end knows whole notches only
    ImGui::GetIO().MouseWheelH += event.wheel.preciseX;
    return;
  }
  ImGui_ImplSDL2_ProcessEvent(&event);
#if IMGUI_VERSION_NUM < 18700
  // The back end reads the present modifiers, but the event may be older.
  if (event.type != SDL_KEYDOWN && event.type != SDL_KEYUP) return;
  const auto modifiers = event.key.keysym.mod;
  auto& io = ImGui::GetIO();
  io.KeyShift = (modifiers & KMOD_SHIFT) != 0;
  io.KeyCtrl = (modifiers & KMOD_CTRL) != 0;
  io.KeyAlt = (modifiers & KMOD_ALT) != 0;
  io.KeySuper = (modifiers & KMOD_GUI) != 0;
#endif
}

void begin_imgui_frame(SDL_Window* window, const std::optional<InputQueue::Mouse>& mouse) {
  auto& io = ImGui::GetIO();
  const bool is_dragging = ImGui::IsAnyMouseDown();
  const auto* below_mouse = SDL_GetMouseFocus();
  const auto* other = below_mouse == window ? nullptr : below_mouse;
  io.ConfigFlags &= ~ImGuiConfigFlags_NoMouseCursorChange;
  if (other != nullptr) io.ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
  ImGui_ImplSDL2_NewFrame();
  if (!is_dragging) leave_mouse_to(other);
  // While a button is held, the back end reads SDL's global mouse position. It stands still under
  // VNC and X11's test extension, so that dragging would not work. The window's own position moves.
  if (below_mouse == window) {
    int x = 0;
    int y = 0;
    SDL_GetMouseState(&x, &y);
    place_mouse(ImVec2(static_cast<float>(x), static_cast<float>(y)));
  }
  if (mouse) {
    place_mouse(ImVec2(mouse->x, mouse->y));
    set_mouse_buttons(mouse->is_down);
  }
  ImGui::NewFrame();
}

// A drag by mouse goes on: ImGui 1.89.8 and later let the mouse go with the keys.
void leave_keyboard() {
  auto& io = ImGui::GetIO();
  if (!ImGui::IsAnyMouseDown()) ImGui::ClearActiveID();
  const auto place = io.MousePos;
  const auto is_down = std::to_array(io.MouseDown);
  const auto down_seconds = std::to_array(io.MouseDownDuration);

  io.ClearInputKeys();
  io.ClearInputCharacters();

  io.MousePos = place;
  std::ranges::copy(is_down, io.MouseDown);
  std::ranges::copy(down_seconds, io.MouseDownDuration);
}

bool ContextLook::fit(const Appearance& wanted) {
  const int letters = other_letters().changes();
  if (wanted == present_ && letters == letters_) return false;
  const bool has_new_fonts = !present_ || wanted.scale != present_->scale || letters != letters_;
  if (has_new_fonts) fonts_ = load_fonts(wanted.scale);
  letters_ = letters;
  apply_theme(wanted);
  present_ = wanted;
  return has_new_fonts;
}

void end_window(SDL_Window* window) {
  if (!is_display_server_lost()) SDL_DestroyWindow(window);
}

Size size_of(SDL_Window* window) {
  Size size;
  SDL_GetWindowSize(window, &size.width, &size.height);
  return size;
}

// While another program drags, the window sees no mouse, and SDL knows the position on the screen.
// It stands still under VNC and X11's test extension: see begin_imgui_frame().
ImVec2 mouse_in(SDL_Window* window) {
  int x = 0;
  int y = 0;
  int left = 0;
  int top = 0;
  if (SDL_GetMouseFocus() == window) {
    SDL_GetMouseState(&x, &y);
  } else {
    SDL_GetGlobalMouseState(&x, &y);
    SDL_GetWindowPosition(window, &left, &top);
  }
  return {static_cast<float>(x - left), static_cast<float>(y - top)};
}

}  // namespace submix::ui
