// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/second_window.hpp"

#include <SDL.h>
#include <imgui.h>

#include <chrono>
#include <string>
#include <utility>

namespace submix::ui {
namespace {

/// The second window's context, until the end of a block.
class ContextUse {
 public:
  explicit ContextUse(ImGuiContext* context) : before_(ImGui::GetCurrentContext()) {
    ImGui::SetCurrentContext(context);
  }
  ~ContextUse() { ImGui::SetCurrentContext(before_); }
  ContextUse(const ContextUse&) = delete;
  ContextUse& operator=(const ContextUse&) = delete;

 private:
  ImGuiContext* before_;
};

// Whether a display has the middle of the window's place.
bool is_on_a_display(const SecondPlace& place) {
  if (!place.is_placed) return false;
  const SDL_Point middle{place.x + place.size.width / 2, place.y + place.size.height / 2};
  for (int i = 0; i < SDL_GetNumVideoDisplays(); ++i) {
    SDL_Rect bounds;
    if (SDL_GetDisplayBounds(i, &bounds) == 0 && SDL_PointInRect(&middle, &bounds) == SDL_TRUE)
      return true;
  }
  return false;
}

// In the middle of the first display that is not the main window's.
int middle_beside(int main_display) {
  const int other = main_display == 0 ? 1 : 0;
  const int chosen = SDL_GetNumVideoDisplays() > 1 ? other : main_display;
  return static_cast<int>(SDL_WINDOWPOS_CENTERED_DISPLAY(static_cast<Uint32>(chosen)));
}

SDL_Window* make_window(const SecondPlace& place, bool is_there, int main_display) {
  const int middle = middle_beside(main_display);
  return SDL_CreateWindow("Submix", is_there ? place.x : middle, is_there ? place.y : middle,
                          place.size.width, place.size.height, SDL_WINDOW_RESIZABLE);
}

bool has_frame(SDL_Window* window) {
  int top = 0;
  int left = 0;
  int bottom = 0;
  int right = 0;
  const bool is_known = SDL_GetWindowBordersSize(window, &top, &left, &bottom, &right) == 0;
  return is_known && (top > 0 || left > 0 || bottom > 0 || right > 0);
}

// The number of the window that an event is for; 0: none.
Uint32 window_of(const SDL_Event& event) {
  switch (event.type) {
    case SDL_WINDOWEVENT:
      return event.window.windowID;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
      return event.key.windowID;
    case SDL_MOUSEMOTION:
      return event.motion.windowID;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
      return event.button.windowID;
    case SDL_MOUSEWHEEL:
      return event.wheel.windowID;
    case SDL_FINGERDOWN:
    case SDL_FINGERMOTION:
    case SDL_FINGERUP:
      return event.tfinger.windowID;
    case SDL_DROPFILE:
      return event.drop.windowID;
    default:
      return 0;
  }
}

constexpr std::chrono::milliseconds kAgePeriod{500};
constexpr auto kSecondWindowFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoBackground |
                                    ImGuiWindowFlags_NoSavedSettings;

}  // namespace

Result<std::unique_ptr<SecondWindow>> SecondWindow::open(const SecondPlace& place,
                                                         const Main& main) {
  const bool is_there = is_on_a_display(place);
  auto* window = make_window(place, is_there, main.display);
  if (window == nullptr) return fail("the second window cannot be made: {}", SDL_GetError());
  auto drawing = main.is_low_power ? draw_on_processor(window) : draw_on_card(window, false);
  if (drawing == nullptr) {
    const std::string reason = SDL_GetError();
    SDL_DestroyWindow(window);
    return fail("the second window cannot be drawn: {}", reason);
  }
  std::unique_ptr<SecondWindow> second(new SecondWindow(window, std::move(drawing)));
  second->window_place_ = place;
  SUBMIX_TRY(second->start(main.scale));
  if (place.is_fullscreen && is_there) second->set_fullscreen(true);
  return second;
}

SecondWindow::SecondWindow(SDL_Window* window, std::unique_ptr<Drawing> drawing)
    : window_(window),
      context_(ImGui::CreateContext()),
      drawing_(std::move(drawing)),
      textures_(std::make_unique<PictureTextures>(*drawing_)) {}

Result<void> SecondWindow::start(float scale) {
  const ContextUse use(context_);
  auto& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  ImGui::GetStyle().WindowPadding = ImVec2(0, 0);
  ImGui::GetStyle().WindowBorderSize = 0;
  fonts_ = load_fonts(scale);
  return drawing_->upload_fonts();
}

SecondWindow::~SecondWindow() {
  {
    const ContextUse use(context_);
    textures_.reset();
    drawing_.reset();
  }
  ImGui::DestroyContext(context_);
  SDL_DestroyWindow(window_);
}

bool SecondWindow::process(const SDL_Event& event) {
  if (window_of(event) != SDL_GetWindowID(window_)) return false;
  switch (event.type) {
    case SDL_WINDOWEVENT:
      drawing_->forget();
      is_lost_ = true;
      is_closed_ = is_closed_ || event.window.event == SDL_WINDOWEVENT_CLOSE;
      return true;
    case SDL_MOUSEBUTTONDOWN:
      if (event.button.button == SDL_BUTTON_LEFT && event.button.clicks == 2)
        set_fullscreen(!is_fullscreen_);
      return true;
    case SDL_FINGERUP:
      tap(event.tfinger.timestamp);
      return true;
    case SDL_KEYDOWN: {
      const auto key = event.key.keysym.sym;
      const bool is_its = key == SDLK_F11 || (key == SDLK_ESCAPE && is_fullscreen_);
      if (is_its && event.key.repeat == 0) set_fullscreen(!is_fullscreen_);
      return is_its;
    }
    case SDL_KEYUP:
      return false;  // the main window's keys, too
    case SDL_DROPFILE:
      SDL_free(event.drop.file);
      return true;
    default:
      return true;
  }
}

// Two taps are a double click.
void SecondWindow::tap(Uint32 milliseconds) {
  constexpr Uint32 kDoubleTap = 350;
  const bool is_double = tapped_ != 0 && milliseconds - tapped_ < kDoubleTap;
  tapped_ = is_double ? 0 : milliseconds;
  if (is_double) set_fullscreen(!is_fullscreen_);
}

// Without a window manager SDL only believes that the window fills the screen.
void SecondWindow::set_fullscreen(bool is_fullscreen) {
  if (is_fullscreen == is_fullscreen_) return;
  if (is_fullscreen) {
    window_place_ = place();
    is_placed_by_hand_ = !has_frame(window_);
    if (is_placed_by_hand_) cover_display();
    SDL_SetWindowFullscreen(window_, SDL_WINDOW_FULLSCREEN_DESKTOP);
  } else {
    SDL_SetWindowFullscreen(window_, 0);
    SDL_SetWindowSize(window_, window_place_.size.width, window_place_.size.height);
    if (is_placed_by_hand_) SDL_SetWindowPosition(window_, window_place_.x, window_place_.y);
  }
  is_fullscreen_ = is_fullscreen;
  is_lost_ = true;
}

void SecondWindow::cover_display() {
  SDL_Rect screen{};
  SDL_GetDisplayBounds(SDL_GetWindowDisplayIndex(window_), &screen);
  SDL_SetWindowPosition(window_, screen.x, screen.y);
  SDL_SetWindowSize(window_, screen.w, screen.h);
}

SecondPlace SecondWindow::place() const {
  auto place = window_place_;
  place.view = view_;
  place.is_fullscreen = is_fullscreen_;
  place.is_placed = true;
  SDL_GetWindowPosition(window_, &place.x, &place.y);  // full screen: of the display
  if (!is_fullscreen_) SDL_GetWindowSize(window_, &place.size.width, &place.size.height);
  return place;
}

// Old pictures tell their age.
bool SecondWindow::is_news(const Panel& main) const {
  return is_lost_ || was_black_ != main.view.transport.is_black ||
         main.view.now - drawn_at_ >= kAgePeriod;
}

// While the outputs are frozen, the programme is, too.
void SecondWindow::draw(Panel& main, const std::shared_ptr<const session::Pictures>& pictures) {
  if (view_ != main.state.second_view) {
    view_ = main.state.second_view;
    is_lost_ = true;
    show_title();
  }
  const bool holds = main.view.transport.is_frozen && view_ == SecondView::programme && shown_;
  const bool has_pictures = !holds && shown_ != pictures;
  if (has_pictures) shown_ = pictures;
  Panel panel{main.view,  *shown_,      main.input,         fonts_,       main.state,
              *textures_, main.actions, main.input_actions, main.watched, main.watched_large};
  const ContextUse use(context_);
  show(panel);
  main.watched_large = panel.watched_large;
  if (!has_pictures && !is_news(main)) return;
  is_lost_ = false;
  drawn_at_ = main.view.now;
  was_black_ = main.view.transport.is_black;
  drawing_->show(*ImGui::GetDrawData());
  textures_->keep_only(*shown_, main.view);
}

// Also tells which pictures the window needs.
void SecondWindow::show(Panel& panel) {
  auto& io = ImGui::GetIO();
  int width = 0;
  int height = 0;
  SDL_GetWindowSize(window_, &width, &height);
  io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
  io.DeltaTime = 1.0F / 60;
  ImGui::NewFrame();
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(io.DisplaySize);
  ImGui::Begin("second", nullptr, kSecondWindowFlags);
  draw_second_view(panel);
  ImGui::End();
  ImGui::Render();
}

void SecondWindow::show_title() {
  SDL_SetWindowTitle(window_,
                     view_ == SecondView::wall ? "Submix: wall of pictures" : "Submix: programme");
}

}  // namespace submix::ui
