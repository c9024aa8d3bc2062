// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/output_window.hpp"

#include <SDL.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace submix::io {

struct OutputWindow::Handles {
  SDL_Window* window = nullptr;
  SDL_Renderer* renderer = nullptr;
  SDL_Texture* texture = nullptr;

  Handles() = default;
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
  ~Handles() {
    if (texture != nullptr) SDL_DestroyTexture(texture);
    if (renderer != nullptr) SDL_DestroyRenderer(renderer);
    if (window != nullptr) SDL_DestroyWindow(window);
  }

  /// False: SDL says why.
  [[nodiscard]] bool create(const WindowWish& wish, Size size, Uint32 renderer_flags) {
    const auto display = static_cast<Uint32>(wish.display < SDL_GetNumVideoDisplays() ? wish.display : 0);
    const auto position = static_cast<int>(SDL_WINDOWPOS_CENTERED_DISPLAY(display));
    window = SDL_CreateWindow(wish.title.c_str(), position, position, size.width, size.height,
                              SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (window == nullptr) return false;
    renderer = SDL_CreateRenderer(window, -1, renderer_flags);
    if (renderer == nullptr) return false;
    texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STREAMING, size.width,
                                size.height);
    return texture != nullptr && SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_NONE) == 0;
  }

  /// "Accelerated" by a rasteriser on the CPU costs more than SDL's own software renderer: at 1280x800 31 ms
  /// of CPU for a frame instead of 19.
  [[nodiscard]] bool is_drawn_by_cpu() const {
    SDL_RendererInfo info{};
    if (SDL_GetRendererInfo(renderer, &info) != 0 || !std::string_view(info.name).starts_with("opengl"))
      return false;
    constexpr unsigned kGlRenderer = 0x1F01;
    using GetString = const unsigned char* (*)(unsigned);
    const auto get_string = reinterpret_cast<GetString>(SDL_GL_GetProcAddress("glGetString"));
    const auto* text = get_string != nullptr ? get_string(kGlRenderer) : nullptr;
    if (text == nullptr) return false;
    const std::string_view name(reinterpret_cast<const char*>(text));
    constexpr std::array<std::string_view, 3> kRasterisers{"llvmpipe", "softpipe", "swrast"};
    return std::any_of(kRasterisers.begin(), kRasterisers.end(),
                       [&](auto rasteriser) { return name.find(rasteriser) != std::string_view::npos; });
  }
};

Result<std::unique_ptr<OutputWindow>> OutputWindow::open(Size frame_size,
                                                         std::shared_ptr<WindowMailbox> mailbox) {
  const auto wish = mailbox->wish();
  auto handles = std::make_unique<Handles>();
  if (!handles->create(wish, frame_size, SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC) ||
      handles->is_drawn_by_cpu()) {
    handles = std::make_unique<Handles>();
    if (!handles->create(wish, frame_size, SDL_RENDERER_SOFTWARE)) {
      return fail("no window of {}x{} can be opened: {}; remove the slot to run without one",
                  frame_size.width, frame_size.height, SDL_GetError());
    }
  }
  return std::unique_ptr<OutputWindow>(new OutputWindow(std::move(handles), std::move(mailbox), frame_size));
}

OutputWindow::OutputWindow(std::unique_ptr<Handles> handles, std::shared_ptr<WindowMailbox> mailbox,
                           Size frame_size)
    : handles_(std::move(handles)), mailbox_(std::move(mailbox)), frame_size_(frame_size) {
  apply(mailbox_->wish());
}

OutputWindow::~OutputWindow() = default;

void OutputWindow::update() {
  const auto wish = mailbox_->wish();
  if (wish != applied_) apply(wish);
  if (auto frame = mailbox_->take()) {
    shown_ = std::move(*frame);
    SDL_UpdateTexture(handles_->texture, nullptr, shown_.rgba().data(), frame_size_.width * 4);
    needs_drawing_ = true;
  }
  if (needs_drawing_ && is_visible_) draw();
}

void OutputWindow::apply(const WindowWish& wish) {
  const auto before = std::exchange(applied_, wish);
  SDL_SetWindowTitle(handles_->window, wish.title.c_str());
  if (wish.display != before.display) {
    if (wish.display >= SDL_GetNumVideoDisplays()) {
      mailbox_->report(Severity::warning,
                       fmt::format("there is no display {}, only {}: the window is on the first",
                                   wish.display, SDL_GetNumVideoDisplays()));
    }
    set_fullscreen(false);
    const auto display = static_cast<Uint32>(wish.display < SDL_GetNumVideoDisplays() ? wish.display : 0);
    const auto position = static_cast<int>(SDL_WINDOWPOS_CENTERED_DISPLAY(display));
    SDL_SetWindowPosition(handles_->window, position, position);
  }
  // Only what changed: the rest may have been changed since by hand.
  if (wish.is_fullscreen != before.is_fullscreen) set_fullscreen(wish.is_fullscreen);
  if (wish.is_visible != before.is_visible) set_visible(wish.is_visible);
}

void OutputWindow::set_visible(bool is_visible) {
  is_visible_ = is_visible;
  if (is_visible) {
    SDL_ShowWindow(handles_->window);
  } else {
    SDL_HideWindow(handles_->window);
  }
  needs_drawing_ = true;
}

void OutputWindow::set_fullscreen(bool is_fullscreen) {
  if (is_fullscreen == is_fullscreen_) return;
  is_fullscreen_ = is_fullscreen;
  auto* window = handles_->window;
  // Placed by hand as well: without a window manager, as on a machine that runs nothing else, SDL only
  // believes that it fills the screen.
  if (is_fullscreen) {
    SDL_GetWindowPosition(window, &windowed_.x, &windowed_.y);
    SDL_GetWindowSize(window, &windowed_.size.width, &windowed_.size.height);
    SDL_Rect screen{};
    SDL_GetDisplayBounds(SDL_GetWindowDisplayIndex(window), &screen);
    SDL_SetWindowPosition(window, screen.x, screen.y);
    SDL_SetWindowSize(window, screen.w, screen.h);
    SDL_SetWindowFullscreen(window, SDL_WINDOW_FULLSCREEN_DESKTOP);
  } else {
    SDL_SetWindowFullscreen(window, 0);
    SDL_SetWindowSize(window, windowed_.size.width, windowed_.size.height);
    SDL_SetWindowPosition(window, windowed_.x, windowed_.y);
  }
  SDL_ShowCursor(is_fullscreen ? SDL_DISABLE : SDL_ENABLE);
  needs_drawing_ = true;
}

void OutputWindow::handle(const SDL_Event& event) {
  const auto id = SDL_GetWindowID(handles_->window);
  switch (event.type) {
    case SDL_WINDOWEVENT:
      if (event.window.windowID != id) return;
      needs_drawing_ = true;
      if (event.window.event != SDL_WINDOWEVENT_CLOSE) return;
      set_visible(false);
      mailbox_->report(
          Severity::warning,
          "the window was closed; the show goes on. Set its parameter visible off and on to see it again");
      return;
    case SDL_KEYDOWN:
      if (event.key.windowID != id || event.key.repeat != 0) return;
      if (event.key.keysym.sym == SDLK_f) set_fullscreen(!is_fullscreen_);
      if (event.key.keysym.sym == SDLK_ESCAPE && is_fullscreen_) set_fullscreen(false);
      return;
    case SDL_MOUSEBUTTONDOWN:
      if (event.button.windowID == id && event.button.clicks == 2) set_fullscreen(!is_fullscreen_);
      return;
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET:
      if (shown_) SDL_UpdateTexture(handles_->texture, nullptr, shown_.rgba().data(), frame_size_.width * 4);
      needs_drawing_ = true;
      return;
    default:
      return;
  }
}

void OutputWindow::draw() {
  needs_drawing_ = false;
  Size room;
  SDL_GetRendererOutputSize(handles_->renderer, &room.width, &room.height);
  SDL_SetRenderDrawColor(handles_->renderer, 0, 0, 0, SDL_ALPHA_OPAQUE);
  SDL_RenderClear(handles_->renderer);
  if (shown_ && room.width > 0 && room.height > 0) {
    const auto inner = fit_within(room, static_cast<double>(frame_size_.width) / frame_size_.height);
    const SDL_Rect place{inner.x, inner.y, inner.size.width, inner.size.height};
    SDL_RenderCopy(handles_->renderer, handles_->texture, nullptr, &place);
  }
  SDL_RenderPresent(handles_->renderer);
}

}  // namespace submix::io
