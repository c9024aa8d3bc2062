// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/app.hpp"

#include "common/media/png.hpp"
#include "controller/ui/layout.hpp"

#include <SDL.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace submix::ui {
namespace {

constexpr std::chrono::milliseconds kFramePeriod{33};
constexpr std::chrono::milliseconds kCalmPeriod{100};  // without a graphics card and nobody at it
constexpr std::chrono::milliseconds kBusyTime{600};    // after the last input: hover effects, key repeats
constexpr std::chrono::milliseconds kIdleWait{250};    // a signal to stop is seen that often
constexpr float kScaleMin = 0.6875F;
constexpr float kScaleMax = 3.0F;
constexpr float kLayoutWidth = 1240;  // what the columns need at scale 1
constexpr float kLayoutHeight = 720;

int milliseconds_until(LocalTime moment, LocalTime now) {
  const auto rest = std::chrono::ceil<std::chrono::milliseconds>(moment - now);
  return static_cast<int>(std::clamp<std::int64_t>(rest.count(), 0, kIdleWait.count()));
}

}  // namespace

App::App(Window& window, session::Session& session, const Options& options)
    : window_(window),
      session_(session),
      options_(options),
      textures_(window.renderer()),
      wanted_scale_(static_cast<float>(options.scale)) {}

Result<void> App::run(const std::function<bool()>& is_told_to_stop) {
  const auto screenshot_at = LocalTime::clock::now() + options_.after;
  while (!is_quitting_ && !is_told_to_stop()) {
    const auto now = LocalTime::clock::now();
    wait_for_events(now);
    const bool is_due = has_news_ || LocalTime::clock::now() < busy_until_;
    if (is_due && LocalTime::clock::now() >= next_frame_) {
      if (auto drawn = draw(); !drawn) return drawn;
    }
    if (!options_.screenshot.empty() && LocalTime::clock::now() >= screenshot_at) {
      if (auto drawn = draw(); !drawn) return drawn;
      const auto image = window_.screenshot();
      return image ? media::write_png(options_.screenshot, *image) : tl::unexpected(image.error());
    }
  }
  return {};
}

void App::wait_for_events(LocalTime now) {
  const bool is_waiting_to_draw = has_news_ || now < busy_until_;
  const int patience =
      is_waiting_to_draw ? milliseconds_until(next_frame_, now) : static_cast<int>(kIdleWait.count());
  SDL_Event event;
  if (SDL_WaitEventTimeout(&event, patience) == 0) return;
  do {
    process(event);
  } while (SDL_PollEvent(&event) != 0);
}

void App::process(const SDL_Event& event) {
  if (event.type >= SDL_USEREVENT) {
    has_news_ = true;  // Window::wake()
    return;
  }
  busy_until_ = LocalTime::clock::now() + kBusyTime;
  next_frame_ = std::min(next_frame_, LocalTime::clock::now() + kFramePeriod);
  if (event.type == SDL_QUIT) is_quitting_ = true;
  // Keys straight from here: a key pressed and released between two frames would be lost in ImGui 1.86.
  if (event.type == SDL_KEYDOWN && !ImGui::GetIO().WantTextInput && event.key.repeat == 0) {
    const auto modifiers = event.key.keysym.mod;
    press(event.key.keysym.sym, (modifiers & KMOD_SHIFT) != 0, (modifiers & KMOD_CTRL) != 0);
  }
  window_.process(event);
}

void App::press(int key, bool is_shift, bool is_control) {
  const bool is_paused = session_.view()->transport.is_paused;
  if (key == SDLK_SPACE && is_shift) return post(session::Step{});
  if (key == SDLK_SPACE) return post(session::SetPaused{!is_paused});
  if (key == SDLK_F1) state_.is_help_open = !state_.is_help_open;
  if (key == SDLK_ESCAPE) state_.is_help_open = false;
  if (!is_control) return;
  if (key == SDLK_z) return is_shift ? post(session::Redo{}) : post(session::Undo{});
  if (key == SDLK_y) return post(session::Redo{});
  if (key == SDLK_q) is_quitting_ = true;
  if (key == SDLK_PLUS || key == SDLK_EQUALS || key == SDLK_KP_PLUS)
    wanted_scale_ = std::min(wanted_scale_ + 0.125F, kScaleMax);
  if (key == SDLK_MINUS || key == SDLK_KP_MINUS) wanted_scale_ = std::max(wanted_scale_ - 0.125F, kScaleMin);
  if (key == SDLK_0) wanted_scale_ = 1.0F;
}

void App::post(session::Action action) {
  // Refused only when thousands wait already; the person sees that nothing happens and presses again.
  static_cast<void>(session_.post(std::move(action)));
}

// The wanted scale, or the largest at which the window still holds all columns.
void App::fit_scale() {
  const auto size = window_.size();
  const float room = std::min(static_cast<float>(size.width) / kLayoutWidth,
                              static_cast<float>(size.height) / kLayoutHeight);
  const float steps = std::floor(std::min(wanted_scale_, room) * 16);
  const float scale = std::clamp(steps / 16, kScaleMin, kScaleMax);
  if (scale == state_.scale && fonts_.text != nullptr) return;
  state_.scale = scale;
  fonts_ = load_fonts(scale);
  apply_theme(scale, window_.is_low_power());
}

Result<void> App::draw() {
  fit_scale();
  if (!ImGui::GetIO().Fonts->TexID) {
    if (auto uploaded = window_.upload_fonts(); !uploaded) return uploaded;
  }
  has_news_ = false;
  const auto now = LocalTime::clock::now();
  next_frame_ = now + (window_.is_low_power() && now >= busy_until_ ? kCalmPeriod : kFramePeriod);
  const auto view = session_.view();
  const auto pictures = session_.pictures();
  std::vector<session::Action> actions;
  Panel panel{*view, *pictures, fonts_, state_, textures_, actions};
  window_.begin_frame();
  draw_layout(panel);
  window_.end_frame();
  textures_.keep_only(*pictures);
  for (auto& action : actions)
    post(std::move(action));
  watch_pictures(pictures_shown(panel));
  return {};
}

void App::watch_pictures(const std::vector<session::PictureKey>& keys) {
  if (keys == watched_) return;
  watched_ = keys;
  post(session::WatchPictures{keys});
}

}  // namespace submix::ui
