// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/output_window.hpp"

#include "common/base/display_server.hpp"
#include "node/io/window/test_card.hpp"

#include <SDL.h>
#include <SDL_syswm.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace submix::io {
namespace {

/// True if a window manager gave the window a frame.
bool has_frame(SDL_Window* window) {
  int top = 0;
  int left = 0;
  int bottom = 0;
  int right = 0;
  const bool is_known = SDL_GetWindowBordersSize(window, &top, &left, &bottom, &right) == 0;
  return is_known && (top > 0 || left > 0 || bottom > 0 || right > 0);
}

void cover_display(SDL_Window* window) {
  SDL_Rect screen{};
  SDL_GetDisplayBounds(SDL_GetWindowDisplayIndex(window), &screen);
  SDL_SetWindowPosition(window, screen.x, screen.y);
  SDL_SetWindowSize(window, screen.w, screen.h);
}

/// Where a window belongs on the desktop while it covers no display, in SDL's terms.
Rectangle area_of(const WindowSpot& spot, Size frame_size, std::size_t number,
                  const std::vector<Display>& displays) {
  if (const auto area = rectangle_of(spot, frame_size, number, displays)) return *area;
  const auto middle = static_cast<int>(SDL_WINDOWPOS_CENTERED_DISPLAY(static_cast<Uint32>(number)));
  return {middle, middle, frame_size};
}

/// Empty: it is no window of an X server.
std::optional<SDL_SysWMinfo> x11_info(SDL_Window* window) {
  SDL_SysWMinfo info{};
  SDL_VERSION(&info.version);
  const bool is_known = SDL_GetWindowWMInfo(window, &info) == SDL_TRUE;
  return is_known && info.subsystem == SDL_SYSWM_X11 ? std::optional(info) : std::nullopt;
}

// SDL_ShowWindow() and SDL_HideWindow() wait for the display server without a limit, so they are
// not called once it is lost. A window that appears leaves the keyboard to the window in which a
// person works.
void show(SDL_Window* window) {
  if (is_display_server_lost()) return;
  if (const auto info = x11_info(window))
    leave_keyboard_to_others(info->info.x11.display, info->info.x11.window);
  SDL_ShowWindow(window);
}

void hide(SDL_Window* window) {
  if (!is_display_server_lost()) SDL_HideWindow(window);
}

/// Null: it is no window of an X server.
std::unique_ptr<WindowNotices> notices_of(SDL_Window* window) {
  const auto info = x11_info(window);
  if (!info) return nullptr;
  return std::make_unique<WindowNotices>(info->info.x11.display, info->info.x11.window);
}

}  // namespace

struct OutputWindow::Handles {
  SDL_Window* window = nullptr;
  SDL_Renderer* renderer = nullptr;
  Texture texture;
  std::unique_ptr<WindowNotices> notices;

  Handles() = default;
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
  ~Handles() {
    texture.reset();
    if (renderer != nullptr) SDL_DestroyRenderer(renderer);
    // SDL hides a window before destroying it.
    if (notices && is_display_server_lost()) notices->repeat();
    if (window != nullptr) SDL_DestroyWindow(window);
  }

  /// Makes a hidden window. False: SDL_GetError() says why.
  [[nodiscard]] bool create(const std::string& title, const Rectangle& area, Size frame_size,
                            Uint32 renderer_flags) {
    leave_if_lost([&] {
      window =
          SDL_CreateWindow(title.c_str(), area.x, area.y, area.size.width, area.size.height,
                           SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI | SDL_WINDOW_HIDDEN);
    });
    if (window == nullptr) return false;
    leave_if_lost([&] { renderer = SDL_CreateRenderer(window, -1, renderer_flags); });
    if (renderer == nullptr) return false;
    notices = notices_of(window);  // the renderer may have replaced the window
    texture = make_texture(frame_size);
    return texture != nullptr;
  }

  /// Null: SDL_GetError() says why.
  [[nodiscard]] Texture make_texture(Size size) const {
    Texture made(SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STREAMING,
                                   size.width, size.height));
    if (made) SDL_SetTextureBlendMode(made.get(), SDL_BLENDMODE_NONE);
    return made;
  }

  /// SDL may call a rasteriser on the CPU "accelerated". It costs more than SDL's own software
  /// renderer: at 1280x800 31 ms of CPU for a frame, against 19.
  [[nodiscard]] bool is_drawn_by_cpu() const {
    SDL_RendererInfo info{};
    if (SDL_GetRendererInfo(renderer, &info) != 0 ||
        !std::string_view(info.name).starts_with("opengl"))
      return false;
    constexpr unsigned kGlRenderer = 0x1F01;
    using GetString = const unsigned char* (*)(unsigned);
    const auto get_string = reinterpret_cast<GetString>(SDL_GL_GetProcAddress("glGetString"));
    const auto* text = get_string != nullptr ? get_string(kGlRenderer) : nullptr;
    if (text == nullptr) return false;
    const std::string_view name(reinterpret_cast<const char*>(text));
    constexpr std::array<std::string_view, 3> kRasterisers{"llvmpipe", "softpipe", "swrast"};
    return std::any_of(kRasterisers.begin(), kRasterisers.end(), [&](auto rasteriser) {
      return name.find(rasteriser) != std::string_view::npos;
    });
  }
};

Result<std::unique_ptr<OutputWindow>> OutputWindow::open(Size frame_size,
                                                         std::shared_ptr<WindowMailbox> mailbox,
                                                         std::vector<Display> displays,
                                                         Appears appears) {
  const auto settings = mailbox->settings();
  const auto choice = choose_display(settings.screen, settings.display, displays);
  const auto area = area_of(settings.spot, frame_size, choice.number, displays);
  // Remembered, because finding it out takes a tenth of a second, in which other windows stand
  // still.
  static bool is_card_missing = false;
  auto handles = std::make_unique<Handles>();
  if (is_card_missing ||
      !handles->create(settings.title, area, frame_size,
                       SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC) ||
      handles->is_drawn_by_cpu()) {
    is_card_missing = is_card_missing || handles->is_drawn_by_cpu();
    handles = std::make_unique<Handles>();
    if (!handles->create(settings.title, area, frame_size, SDL_RENDERER_SOFTWARE)) {
      return fail("no window of {}x{} can be opened: {}; remove the slot to run without one",
                  frame_size.width, frame_size.height, SDL_GetError());
    }
  }
  std::unique_ptr<OutputWindow> window(
      new OutputWindow(std::move(handles), std::move(mailbox), frame_size, std::move(displays)));
  if (appears == Appears::at_once) window->appear();
  return window;
}

OutputWindow::OutputWindow(std::unique_ptr<Handles> handles, std::shared_ptr<WindowMailbox> mailbox,
                           Size frame_size, std::vector<Display> displays)
    : handles_(std::move(handles)),
      mailbox_(std::move(mailbox)),
      frame_size_(frame_size),
      displays_(std::move(displays)),
      stand_(wanted_stand(mailbox_->settings())) {
  applied_.spot = mailbox_->settings().spot;
  wanted_size_ = wanted_area().size;
  SDL_RendererInfo info{};
  SDL_GetRendererInfo(handles_->renderer, &info);
  is_drawn_by_cpu_ = (info.flags & SDL_RENDERER_SOFTWARE) != 0;
}

OutputWindow::~OutputWindow() = default;

void OutputWindow::EndTexture::operator()(SDL_Texture* texture) const {
  SDL_DestroyTexture(texture);
}

void OutputWindow::appear() {
  if (std::exchange(has_appeared_, true)) return;
  show(handles_->window);
  if (!stand_.choice.missing.empty()) mailbox_->report(Severity::warning, stand_.choice.missing);
  apply(mailbox_->settings());
}

Result<void> OutputWindow::prepare(Size frame_size, std::shared_ptr<WindowMailbox> mailbox) {
  auto texture = handles_->make_texture(frame_size);
  if (texture == nullptr) {
    return fail("the window cannot show pictures of {}x{}: {}; make the show's size smaller",
                frame_size.width, frame_size.height, SDL_GetError());
  }
  drop_closed();
  prepared_.push_back({std::move(mailbox), frame_size, std::move(texture)});
  return {};
}

void OutputWindow::drop_closed() {
  std::erase_if(prepared_, [](const auto& prepared) { return prepared.mailbox->is_closed(); });
  std::erase_if(former_, [](const auto& former) { return former->is_closed(); });
}

std::vector<WindowSource> OutputWindow::lose_display(const std::string& trouble) {
  drop_closed();
  for (const auto& former : former_)
    former->lose_display(trouble);
  std::vector<WindowSource> sources{{frame_size_, mailbox_}};
  for (const auto& prepared : prepared_)
    sources.push_back({prepared.frame_size, prepared.mailbox});
  for (const auto& source : sources)
    source.mailbox->lose_display(trouble);
  return sources;
}

bool OutputWindow::is_closed_for(std::chrono::milliseconds time) {
  const auto now = std::chrono::steady_clock::now();
  if (!is_closed()) {
    closed_since_.reset();
  } else if (!closed_since_) {
    closed_since_ = now;
  }
  return closed_since_ && now - *closed_since_ >= time;
}

// A mailbox that was shown here before may have one more frame under way.
std::optional<WindowFrame> OutputWindow::take_frame() {
  drop_closed();
  for (const auto& former : former_)
    static_cast<void>(former->take());
  if (auto frame = switch_over()) return frame;
  auto frame = mailbox_->take();
  if (frame) appear();
  return frame;
}

std::optional<WindowFrame> OutputWindow::switch_over() {
  const auto next = std::find_if(prepared_.begin(), prepared_.end(), [](const auto& prepared) {
    return prepared.mailbox->has_frame();
  });
  if (next == prepared_.end()) return std::nullopt;
  auto frame = next->mailbox->take();
  if (!frame) return std::nullopt;
  newest_ = {};
  former_.push_back(std::exchange(mailbox_, std::move(next->mailbox)));
  auto former_texture = std::exchange(handles_->texture, std::move(next->texture));
  if (output_.is_frozen && has_picture_ && !held_)
    held_ = Held{std::move(former_texture), frame_size_};
  has_picture_ = false;
  fit_to(next->frame_size);
  for (auto before = prepared_.begin(); before != next; ++before)
    former_.push_back(std::move(before->mailbox));
  prepared_.erase(prepared_.begin(), next + 1);
  appear();
  // Each slot counts its own changes.
  applied_.fullscreen_changes = mailbox_->settings().fullscreen_changes;
  apply(mailbox_->settings());
  if (applied_.is_visible && !is_visible_)
    set_visible(true);  // the former show's window was closed by hand
  keep_time();
  return frame;
}

// Keeps a size that a person has set by hand.
void OutputWindow::fit_to(Size frame_size) {
  frame_size_ = frame_size;
  const auto wanted = wanted_area().size;
  const auto before = std::exchange(wanted_size_, wanted);
  if (is_fullscreen_) {
    if (windowed_.size == before) windowed_.size = wanted;
    return;
  }
  Size now;
  SDL_GetWindowSize(handles_->window, &now.width, &now.height);
  if (now == before) SDL_SetWindowSize(handles_->window, wanted.width, wanted.height);
}

void OutputWindow::update(OutputState output) {
  const auto settings = mailbox_->settings();
  if (has_appeared_ && settings != applied_) apply(settings);
  auto next = take_frame();
  if (next) {
    newest_ = next->frame;
    is_uploaded_ = false;
    needs_drawing_ = true;
  }
  follow(output);
  // A window without a picture has none to freeze.
  if (!is_uploaded_ && (!output_.is_frozen || !has_picture_)) upload();
  notice_waiting();
  if (!needs_drawing_ || !is_visible_ || !has_appeared_) return;
  if (next && mailbox_->keeps_time()) return draw_in_time(*next);
  draw();
}

// A picture that comes as quickly as usual is not preceded by words.
void OutputWindow::notice_waiting() {
  if (!has_appeared_ || !is_waiting() || says_it_waits_) return;
  constexpr std::chrono::milliseconds kUsualWait{700};
  const auto now = std::chrono::steady_clock::now();
  if (!waits_since_) waits_since_ = now;
  if (now - *waits_since_ < kUsualWait) return;
  says_it_waits_ = true;
  needs_drawing_ = true;
}

bool OutputWindow::is_waiting() const {
  return !has_picture_ && !held_;
}

void OutputWindow::follow(OutputState output) {
  if (output == output_) return;
  output_ = output;
  if (!output_.is_frozen) held_.reset();
  needs_drawing_ = true;
}

void OutputWindow::upload() {
  is_uploaded_ = true;
  if (!newest_) return;
  SDL_UpdateTexture(handles_->texture.get(), nullptr, newest_.rgba().data(), frame_size_.width * 4);
  has_picture_ = true;
}

// Shows the frame for its number of refreshes.
void OutputWindow::draw_in_time(const WindowFrame& next) {
  const auto period = refresh();
  const int refreshes = DisplayTime::refreshes_for(applied_.rate, period);
  if (next.is_after_pause) display_time_.forget_last();
  for (int i = 0; i < refreshes; ++i)
    draw();
  const auto late = display_time_.shown(SteadyClock().now(), refreshes * period);
  if (late) mailbox_->shown(next.position, *late, period);
  if (display_time_.is_kept()) return;
  mailbox_->keep_time(false);
  mailbox_->report(
      Severity::warning,
      "vsync: this display does not wait for its refreshes; the show's rate is kept instead");
}

std::chrono::nanoseconds OutputWindow::refresh() const {
  SDL_DisplayMode mode{};
  SDL_GetCurrentDisplayMode(std::max(0, SDL_GetWindowDisplayIndex(handles_->window)), &mode);
  return std::chrono::nanoseconds(std::chrono::seconds(1)) /
         (mode.refresh_rate > 0 ? mode.refresh_rate : 60);
}

// A graphics card's renderer always waits for the display. Where the CPU draws, SDL waits for the
// time of a refresh if asked to.
void OutputWindow::keep_time() {
  const bool keeps_time = applied_.has_vsync && is_visible_;
  if (is_drawn_by_cpu_) SDL_RenderSetVSync(handles_->renderer, keeps_time ? 1 : 0);
  display_time_.begin();
  mailbox_->keep_time(keeps_time);
}

void OutputWindow::apply(const WindowSettings& settings) {
  const auto before = std::exchange(applied_, settings);
  SDL_SetWindowTitle(handles_->window, settings.title.c_str());
  // Applies changed settings only: a person may have changed the others by hand.
  const bool is_fullscreen_new = settings.is_fullscreen != before.is_fullscreen ||
                                 settings.fullscreen_changes != before.fullscreen_changes;
  if (is_fullscreen_new) wants_fullscreen_ = settings.is_fullscreen;
  go_to(wanted_stand(settings));
  if (settings.spot != before.spot) go_to_spot();
  if (is_fullscreen_new) want_fullscreen(settings.is_fullscreen);
  if (settings.is_visible != before.is_visible) set_visible(settings.is_visible);
  if (settings.has_vsync != before.has_vsync) keep_time();
  tell_place();
}

void OutputWindow::follow(std::vector<Display> displays) {
  displays_ = std::move(displays);
  if (!has_appeared_) {
    const auto settings = mailbox_->settings();
    stand_ = wanted_stand(settings);
    applied_.spot = settings.spot;
    return go_to_spot();
  }
  go_to(wanted_stand(applied_));
  tell_place();
}

OutputWindow::Stand OutputWindow::wanted_stand(const WindowSettings& settings) const {
  auto choice = choose_display(settings.screen, settings.display, displays_);
  if (displays_.empty()) return {std::nullopt, std::move(choice)};
  return {displays_[choice.number], std::move(choice)};
}

// The window moves only when its own display changes, not when others come and go.
void OutputWindow::go_to(Stand stand) {
  if (stand == stand_) return;
  const bool is_other_display = stand.display != stand_.display;
  const auto before = std::exchange(stand_, std::move(stand)).choice;
  const auto& now = stand_.choice;
  if (!now.missing.empty()) {
    mailbox_->report(Severity::warning, now.missing);
  } else if (!before.missing.empty()) {
    mailbox_->report(Severity::note, "the window is on its display");
  }
  if (!stand_.display || (!is_other_display && now.may_cover == before.may_cover)) return;
  go_to_spot();
}

// A size that a person has set by hand stays until another one is wanted.
void OutputWindow::go_to_spot() {
  set_fullscreen(false);
  const auto area = wanted_area();
  if (std::exchange(wanted_size_, area.size) != area.size)
    SDL_SetWindowSize(handles_->window, area.size.width, area.size.height);
  SDL_SetWindowPosition(handles_->window, area.x, area.y);  // the middle depends on the size
  set_fullscreen(wants_fullscreen_ && stand_.choice.may_cover);
}

Rectangle OutputWindow::wanted_area() const {
  return area_of(applied_.spot, frame_size_, stand_.choice.number, displays_);
}

// F11, too, because the controller's key for full screen is F11.
void OutputWindow::receive_key(const SDL_Event& event) {
  const auto key = event.key.keysym.sym;
  if (key == SDLK_f || key == SDLK_F11) cover_by_hand(!is_fullscreen_);
  if (key == SDLK_ESCAPE && is_fullscreen_) cover_by_hand(false);
}

void OutputWindow::want_fullscreen(bool is_wanted) {
  wants_fullscreen_ = is_wanted;
  set_fullscreen(is_wanted && stand_.choice.may_cover);
}

// A show that names its display means this display. A number means any display in that place.
void OutputWindow::tell_place() {
  const auto number = SDL_GetWindowDisplayIndex(handles_->window);
  const bool is_named = !applied_.screen.empty();
  const bool is_seen = is_visible_ && number >= 0;
  mailbox_->stand_at({.display = is_seen ? static_cast<std::uint64_t>(number) + 1 : 0,
                      .is_fullscreen = is_fullscreen_,
                      .trouble = is_named ? stand_.choice.missing : std::string()});
  needs_drawing_ = needs_drawing_ || output_.has_test_card;
}

void OutputWindow::set_visible(bool is_visible) {
  is_visible_ = is_visible;
  if (is_visible) {
    show(handles_->window);
  } else {
    hide(handles_->window);
  }
  keep_time();
  needs_drawing_ = true;
  tell_place();
}

void OutputWindow::set_fullscreen(bool is_fullscreen) {
  if (is_fullscreen == is_fullscreen_) return;
  is_fullscreen_ = is_fullscreen;
  auto* window = handles_->window;
  // Without a window manager this class places the window, because SDL only believes that the
  // window fills the screen. A window manager restores the position itself; here it would be off by
  // the width of the frame.
  if (is_fullscreen) {
    SDL_GetWindowPosition(window, &windowed_.x, &windowed_.y);
    SDL_GetWindowSize(window, &windowed_.size.width, &windowed_.size.height);
    is_placed_by_hand_ = !has_frame(window);
    if (is_placed_by_hand_) cover_display(window);
    SDL_SetWindowFullscreen(window, SDL_WINDOW_FULLSCREEN_DESKTOP);
  } else {
    SDL_SetWindowFullscreen(window, 0);
    SDL_SetWindowSize(window, windowed_.size.width, windowed_.size.height);
    if (is_placed_by_hand_) SDL_SetWindowPosition(window, windowed_.x, windowed_.y);
  }
  SDL_ShowCursor(is_fullscreen ? SDL_DISABLE : SDL_ENABLE);
  needs_drawing_ = true;
  tell_place();
}

// A person may cover any display.
void OutputWindow::cover_by_hand(bool is_fullscreen) {
  wants_fullscreen_ = is_fullscreen;
  set_fullscreen(is_fullscreen);
}

void OutputWindow::handle(const SDL_Event& event) {
  const auto id = SDL_GetWindowID(handles_->window);
  switch (event.type) {
    case SDL_WINDOWEVENT:
      if (event.window.windowID != id) return;
      needs_drawing_ = true;
      if (event.window.event == SDL_WINDOWEVENT_DISPLAY_CHANGED) tell_place();
      if (event.window.event != SDL_WINDOWEVENT_CLOSE) return;
      set_visible(false);
      mailbox_->report(Severity::warning,
                       "the window was closed; the show goes on. Set its parameter visible off "
                       "and on to see it again");
      return;
    case SDL_KEYDOWN:
      if (event.key.windowID != id || event.key.repeat != 0) return;
      receive_key(event);
      return;
    case SDL_MOUSEBUTTONDOWN:
      if (event.button.windowID == id && event.button.clicks == 2) cover_by_hand(!is_fullscreen_);
      return;
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET:
      held_.reset();  // the screen has lost its pictures, even a frozen one
      card_.reset();
      upload();
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
  if (!output_.is_black && room.width > 0 && room.height > 0) {
    if (output_.has_test_card) {
      draw_test_card(room);
    } else if (is_waiting()) {
      if (says_it_waits_ && !is_fullscreen_) draw_waiting_card(room);
    } else {
      card_.reset();
      draw_picture(room);
    }
  }
  SDL_RenderPresent(handles_->renderer);
}

void OutputWindow::draw_picture(Size room) {
  const auto size = held_ ? held_->frame_size : frame_size_;
  const auto inner = fit_within(room, static_cast<double>(size.width) / size.height);
  const SDL_Rect place{inner.x, inner.y, inner.size.width, inner.size.height};
  auto* texture = held_ ? held_->texture.get() : handles_->texture.get();
  SDL_RenderCopy(handles_->renderer, texture, nullptr, &place);
}

void OutputWindow::draw_test_card(Size room) {
  const auto display =
      stand_.display ? fmt::format("{}, {}", stand_.display->name, mode_text(*stand_.display)) : "";
  const auto& name = applied_.title;
  draw_card(room, name + display, [&] { return paint_test_card({name, display}, room); });
}

void OutputWindow::draw_waiting_card(Size room) {
  const auto& name = applied_.title;
  draw_card(room, name, [&] { return paint_waiting_card(name, room); });
}

// A card fills the window, whatever the shape of the frames.
void OutputWindow::draw_card(Size room, const std::string& about, const PaintCard& paint) {
  if (!card_ || card_->size != room || card_->about != about) {
    card_ = Card{handles_->make_texture(room), room, about};
    const auto rgba = paint();
    if (card_->texture)
      SDL_UpdateTexture(card_->texture.get(), nullptr, rgba.data(), room.width * 4);
  }
  if (card_->texture) SDL_RenderCopy(handles_->renderer, card_->texture.get(), nullptr, nullptr);
}

}  // namespace submix::io
