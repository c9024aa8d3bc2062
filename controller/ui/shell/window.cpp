// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/window.hpp"

#include "common/base/display_server.hpp"
#include "controller/ui/shell/imgui_window.hpp"

#include <SDL.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace submix::ui {
namespace {

// Whether OpenGL is emulated on the processor of this machine. A separate window asks, since a
// window cannot give up OpenGL again. If unknown, a graphics card is assumed.
bool is_opengl_emulated() {
  SDL_Window* probe = SDL_CreateWindow("", 0, 0, 16, 16, SDL_WINDOW_HIDDEN | SDL_WINDOW_OPENGL);
  if (probe == nullptr) return true;
  SDL_GLContext context = SDL_GL_CreateContext(probe);
  bool is_emulated = context == nullptr;
  if (context != nullptr) {
    constexpr unsigned kGlRenderer = 0x1F01;
    using GetString = const unsigned char* (*)(unsigned);
    const auto get_string = reinterpret_cast<GetString>(SDL_GL_GetProcAddress("glGetString"));
    const auto* name = get_string == nullptr ? nullptr : get_string(kGlRenderer);
    const std::string_view renderer = name == nullptr ? "" : reinterpret_cast<const char*>(name);
    for (const auto* emulation : {"llvmpipe", "softpipe", "swrast", "Software"}) {
      is_emulated = is_emulated || renderer.find(emulation) != std::string_view::npos;
    }
    SDL_GL_DeleteContext(context);
  }
  SDL_DestroyWindow(probe);
  return is_emulated;
}

Uint32 wake_event() {
  static const Uint32 type = SDL_RegisterEvents(1);
  return type;
}

// Without a display SDL draws into an invisible window.
bool is_seen_by_nobody() {
  const char* driver = SDL_GetCurrentVideoDriver();
  const bool is_wanted = SDL_getenv("SDL_VIDEODRIVER") != nullptr;
  return !is_wanted && driver != nullptr && std::string_view(driver) == "offscreen";
}

DesktopArea area_of(const SDL_Rect& rect) {
  return {rect.x, rect.y, {rect.w, rect.h}};
}

std::optional<DesktopArea> first_display() {
  SDL_Rect usable{};
  if (SDL_GetDisplayUsableBounds(0, &usable) != 0) return std::nullopt;
  return area_of(usable);
}

// Elsewhere (Wayland) no program may place its windows.
bool is_x11() {
  return std::string_view(SDL_GetCurrentVideoDriver()) == "x11";
}

// With a second display the output is there.
Size usual_size() {
  const auto display = first_display();
  const bool holds_output = is_x11() && SDL_GetNumVideoDisplays() == 1;
  return display && holds_output ? first_size(display->size) : kWindowUsual;
}

int left_for(Size size) {
  const auto display = first_display();
  if (display && leaves_room(size, display->size)) return display->x;
  return static_cast<int>(SDL_WINDOWPOS_CENTERED);
}

}  // namespace

Result<std::unique_ptr<Window>> Window::open(const std::string& title, std::optional<Size> wanted) {
  // By default SDL shows the processor's pixels through OpenGL, which is emulated here, too.
  SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
  SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  SDL_SetHint(SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0");  // SDL_QUIT: a Wayland server has ended
  SDL_SetHint(SDL_HINT_TOUCH_MOUSE_EVENTS, "0");         // touch_input.hpp makes better ones
  outlive_display_server();
  if (SDL_Init(SDL_INIT_VIDEO) != 0) {
    return fail(
        "no display: {}; start it in a desktop session, or use the command line: submix watch",
        SDL_GetError());
  }
  if (is_seen_by_nobody()) {
    SDL_Quit();
    return fail(
        "no display: neither DISPLAY nor WAYLAND_DISPLAY leads to one; start it in a desktop "
        "session, or use the command line: submix watch");
  }
  static_cast<void>(wake_event());
  const bool has_card = !is_opengl_emulated();
  const Size size = wanted ? *wanted : usual_size();
  SDL_Window* window = SDL_CreateWindow(title.c_str(), left_for(size), SDL_WINDOWPOS_CENTERED,
                                        size.width, size.height, SDL_WINDOW_RESIZABLE);
  std::unique_ptr<Drawing> drawing;
  if (window != nullptr && has_card) drawing = draw_on_card(window);
  const bool is_low_power = drawing == nullptr;
  if (window != nullptr && is_low_power) drawing = draw_on_processor(window);
  if (drawing == nullptr) {
    const std::string reason = SDL_GetError();
    if (window != nullptr) end_window(window);
    SDL_Quit();
    return fail("the window of {} x {} pixels cannot be made: {}", size.width, size.height, reason);
  }
  return std::unique_ptr<Window>(new Window(window, std::move(drawing), is_low_power));
}

Window::Window(SDL_Window* window, std::unique_ptr<Drawing> drawing, bool is_low_power)
    : window_(window), is_low_power_(is_low_power), drawing_(std::move(drawing)) {
  SDL_SetWindowMinimumSize(window_, kWindowMin.width, kWindowMin.height);
  IMGUI_CHECKVERSION();
  // Uses operator new, so that ImGui's allocations are counted with all others.
  ImGui::SetAllocatorFunctions([](std::size_t bytes, void*) { return ::operator new(bytes); },
                               [](void* place, void*) { ::operator delete(place); });
  ImGui::CreateContext();
  start_imgui_on(window_);
}

Window::~Window() {
  end_imgui();
  drawing_.reset();
  ImGui::DestroyContext();
  end_window(window_);
  if (!is_display_server_lost()) SDL_Quit();
}

void Window::process(const SDL_Event& event) {
  // After it is uncovered, restored or resized, the screen may have lost its pixels.
  if (event.type == SDL_WINDOWEVENT) drawing_->forget();
  pass_to_imgui(event);
}

void Window::begin_frame(const std::optional<InputQueue::Mouse>& mouse) {
  begin_imgui_frame(window_, mouse);
}

void Window::end_frame() {
  drawing_->show(*ImGui::GetDrawData());
}

Size Window::size() const {
  return size_of(window_);
}

int Window::display() const {
  return std::max(0, SDL_GetWindowDisplayIndex(window_));
}

std::optional<DesktopArea> Window::place_beside(Size picture) const {
  SDL_Rect usable{};
  SDL_Rect whole{};
  if (!is_x11() || SDL_GetDisplayUsableBounds(display(), &usable) != 0 ||
      SDL_GetDisplayBounds(display(), &whole) != 0)
    return std::nullopt;
  DesktopArea window{0, 0, size()};
  SDL_GetWindowPosition(window_, &window.x, &window.y);
  auto place = ui::place_beside(window, area_of(usable), picture);
  if (place) {
    place->x -= whole.x;
    place->y -= whole.y;
  }
  return place;
}

ImVec2 Window::mouse_in_window() const {
  return mouse_in(window_);
}

void Window::bring_to_front() {
  SDL_RaiseWindow(window_);
}

// Without a window manager nobody else gives it back.
void Window::take_keyboard() {
  SDL_SetWindowInputFocus(window_);
}

Result<media::Rgb24Image> Window::screenshot() {
  return drawing_->screenshot(*ImGui::GetDrawData());
}

Result<void> Window::upload_fonts() {
  return drawing_->upload_fonts();
}

void Window::wake() {
  if (is_display_server_lost()) return;  // SDL's locks may be held for ever
  SDL_Event event{};
  event.type = wake_event();
  SDL_PushEvent(&event);
}

}  // namespace submix::ui
