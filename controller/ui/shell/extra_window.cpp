// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/extra_window.hpp"

#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/pages/file_choice.hpp"
#include "controller/ui/shell/arrow_keys.hpp"
#include "controller/ui/shell/command_palette.hpp"
#include "controller/ui/shell/notices.hpp"

#include <SDL.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace submix::ui {
namespace {

// Whether a display has the middle of the window's place.
bool is_on_a_display(const ExtraPlace& place) {
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

SDL_Window* make_window(const ExtraView& view, const ExtraPlace& place, bool is_there,
                        int main_display) {
  constexpr Size kSizeMin{320, 240};
  const int middle = middle_beside(main_display);
  const auto title = fmt::format("Submix: {}", view.entry.title);
  auto* window =
      SDL_CreateWindow(title.c_str(), is_there ? place.x : middle, is_there ? place.y : middle,
                       place.size.width, place.size.height, SDL_WINDOW_RESIZABLE);
  if (window != nullptr) SDL_SetWindowMinimumSize(window, kSizeMin.width, kSizeMin.height);
  return window;
}

/// How far a window manager's frame goes beyond the window.
struct Frame {
  int top = 0;
  int left = 0;
  int bottom = 0;
  int right = 0;

  [[nodiscard]] bool is_there() const { return top > 0 || left > 0 || bottom > 0 || right > 0; }
};

Frame frame_of(SDL_Window* window) {
  Frame frame;
  if (SDL_GetWindowBordersSize(window, &frame.top, &frame.left, &frame.bottom, &frame.right) != 0)
    return {};
  return frame;
}

bool is_seen(SDL_Window* window) {
  constexpr Uint32 kUnseen = SDL_WINDOW_HIDDEN | SDL_WINDOW_MINIMIZED;
  return (SDL_GetWindowFlags(window) & kUnseen) == 0;
}

/// Until the end of a block the state has this window's scale, and the files that were dropped on
/// this window.
class StateOfWindow {
 public:
  StateOfWindow(float scale, std::vector<DroppedFile>& dropped, PanelState& state)
      : state_(state), main_scale_(state.scale), dropped_(dropped) {
    state_.scale = scale;
    std::swap(state_.dropped, dropped_);
  }
  ~StateOfWindow() {
    state_.scale = main_scale_;
    std::swap(state_.dropped, dropped_);
  }
  StateOfWindow(const StateOfWindow&) = delete;
  StateOfWindow& operator=(const StateOfWindow&) = delete;

 private:
  PanelState& state_;
  float main_scale_;
  std::vector<DroppedFile>& dropped_;
};

template <typename Key>
void append(std::vector<Key>&& added, std::vector<Key>& to) {
  std::ranges::move(added, std::back_inserter(to));
}

// Words that a person must not miss on any screen.
void draw_state_words(Panel& panel) {
  const auto& transport = panel.view.transport;
  const auto say = [](bool is_so, std::string_view words, ImU32 color) {
    if (!is_so) return;
    ImGui::SameLine();
    badge(words, color);
  };
  say(transport.is_black, "OUTPUTS BLACK", color::kBad);
  say(transport.is_frozen, "OUTPUTS FROZEN", color::kWarning);
  say(transport.is_paused, "PAUSED", color::kWarning);
  say(panel.state.is_performing, "PERFORM", color::kAccent);
}

void draw_no_show(Panel& panel) {
  ImGui::SetCursorPos(ImVec2(panel.px(14), panel.px(14)));
  text("No show is open.", color::kDim);
}

constexpr std::chrono::milliseconds kAgePeriod{500};
constexpr auto kExtraWindowFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoSavedSettings;

}  // namespace

Result<std::unique_ptr<ExtraWindow>> ExtraWindow::open(const ExtraView& view,
                                                       const ExtraPlace& place, const Main& main) {
  const bool is_there = is_on_a_display(place);
  auto* window = make_window(view, place, is_there, main.display);
  if (window == nullptr)
    return fail("the window of {} cannot be made: {}", view.entry.title, SDL_GetError());
  auto drawing = main.look.is_low_power ? draw_on_processor(window) : draw_on_card(window, false);
  if (drawing == nullptr) {
    const std::string reason = SDL_GetError();
    end_window(window);
    return fail("the window of {} cannot be drawn: {}", view.entry.title, reason);
  }
  std::unique_ptr<ExtraWindow> extra(new ExtraWindow(view, window, std::move(drawing)));
  extra->window_place_ = place;
  const ContextUse use(extra->context_);
  SUBMIX_TRY(extra->fit(main.look));
  if (place.is_fullscreen && is_there) extra->set_fullscreen(true);
  return extra;
}

ExtraWindow::ExtraWindow(const ExtraView& view, SDL_Window* window,
                         std::unique_ptr<Drawing> drawing)
    : view_(view),
      window_(window),
      context_(ImGui::CreateContext()),
      drawing_(std::move(drawing)),
      textures_(std::make_unique<PictureTextures>(*drawing_)) {
  const ContextUse use(context_);
  start_imgui_on(window_);
}

ExtraWindow::~ExtraWindow() {
  {
    const ContextUse use(context_);
    end_imgui();
    textures_.reset();
    drawing_.reset();
  }
  ImGui::DestroyContext(context_);
  end_window(window_);
}

bool ExtraWindow::has_id(Uint32 window) const {
  return SDL_GetWindowID(window_) == window;
}

void ExtraWindow::receive(const SDL_Event& event, LocalTime now, bool& is_touched) {
  const bool has_controls = view_.has_controls();
  switch (event.type) {
    case SDL_WINDOWEVENT:
      drawing_->forget();
      is_lost_ = true;
      is_closed_ = is_closed_ || event.window.event == SDL_WINDOWEVENT_CLOSE;
      return;
    case SDL_DROPFILE:
      if (has_controls) dropped_.push_back({event.drop.file, mouse_in(window_)});
      SDL_free(event.drop.file);
      return;
    default:
      break;
  }
  if (has_controls) return input_.receive(event, size_of(window_), now, is_touched);
  const bool is_double = event.type == SDL_MOUSEBUTTONDOWN && event.button.clicks == 2;
  if (is_double && event.button.button == SDL_BUTTON_LEFT) toggle_fullscreen();
  if (event.type == SDL_FINGERUP) tap(event.tfinger.timestamp);
}

void ExtraWindow::receive_key(const SDL_Event& event) {
  bool is_touched = false;  // no key tells
  input_.receive(event, {}, {}, is_touched);
}

void ExtraWindow::process(const SDL_Event& event) {
  pass_to_imgui(event);
  // As in the main window, where Escape does more.
  const bool is_escape = event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_ESCAPE;
  if (is_escape && !give_up_drag()) close_menus();
}

void ExtraWindow::lose_keyboard() {
  has_keyboard_ = false;
  const ContextUse use(context_);
  leave_keyboard();
}

bool ExtraWindow::is_busy() const {
  const ContextUse use(context_);
  return input_.is_busy();
}

void ExtraWindow::bring_to_front() {
  if (!is_seen(window_)) SDL_RestoreWindow(window_);
  SDL_RaiseWindow(window_);
}

void ExtraWindow::come_back_to_a_display(int main_display) {
  if (is_on_a_display(place())) return;
  set_fullscreen(false);
  const int middle = middle_beside(main_display);
  SDL_SetWindowPosition(window_, middle, middle);
}

// Two taps are a double click.
void ExtraWindow::tap(Uint32 milliseconds) {
  constexpr Uint32 kDoubleTap = 350;
  const bool is_double = tapped_ != 0 && milliseconds - tapped_ < kDoubleTap;
  tapped_ = is_double ? 0 : milliseconds;
  if (is_double) toggle_fullscreen();
}

// Without a window manager SDL only believes that the window fills the screen.
void ExtraWindow::set_fullscreen(bool is_fullscreen) {
  if (is_fullscreen == is_fullscreen_) return;
  if (is_fullscreen) {
    window_place_ = place();
    is_placed_by_hand_ = !frame_of(window_).is_there();
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

void ExtraWindow::cover_display() {
  SDL_Rect screen{};
  SDL_GetDisplayBounds(SDL_GetWindowDisplayIndex(window_), &screen);
  SDL_SetWindowPosition(window_, screen.x, screen.y);
  SDL_SetWindowSize(window_, screen.w, screen.h);
}

ExtraPlace ExtraWindow::place() const {
  auto place = window_place_;
  place.view = view_.entry.id;
  place.is_open = true;
  place.is_fullscreen = is_fullscreen_;
  place.is_placed = true;
  SDL_GetWindowPosition(window_, &place.x, &place.y);  // full screen: of the display
  if (is_fullscreen_) return place;
  // Where a window opens is the place of its frame's corner.
  const auto frame = frame_of(window_);
  place.x -= frame.left;
  place.y -= frame.top;
  place.size = size_of(window_);
  return place;
}

// A page needs as much room as in the main window; a panel and a picture need less.
Result<void> ExtraWindow::fit(const Appearance& look) {
  auto wanted = look;
  if (view_.is_page()) wanted.scale = fitting_scale(look.scale, size_of(window_));
  if (!look_.fit(wanted)) return {};
  is_lost_ = true;
  return drawing_->upload_fonts();
}

// Old pictures tell their age.
bool ExtraWindow::is_news(const Panel& main) const {
  return view_.has_controls() || is_lost_ || was_black_ != main.view.transport.is_black ||
         main.view.now - drawn_at_ >= kAgePeriod;
}

// While the outputs are frozen, the programme is, too.
void ExtraWindow::draw(Panel& main, const std::shared_ptr<const session::Pictures>& pictures,
                       const Appearance& look) {
  if (!is_seen(window_)) return;
  const ContextUse use(context_);
  if (!fit(look)) return;
  const bool is_programme = view_.entry.id == kProgrammeView;
  const bool holds = main.view.transport.is_frozen && is_programme && shown_;
  const bool has_pictures = !holds && shown_ != pictures;
  if (has_pictures) shown_ = pictures;
  Panel panel{main.view,  *shown_,      main.input,         look_.fonts(), main.state,
              *textures_, main.actions, main.input_actions, main.watched,  main.watched_large};
  show(panel);
  if (!main.watched_large) main.watched_large = panel.watched_large;
  append(std::move(panel.watched_media), main.watched_media);
  append(std::move(panel.watched_effects), main.watched_effects);
  if (std::exchange(wants_fullscreen_toggle_, false)) toggle_fullscreen();
  if (!has_pictures && !is_news(main)) return;
  is_lost_ = false;
  drawn_at_ = main.view.now;
  was_black_ = main.view.transport.is_black;
  drawing_->show(*ImGui::GetDrawData());
  textures_->keep_only(*shown_, main.view);
}

// Also tells which pictures the window needs.
void ExtraWindow::show(Panel& panel) {
  const StateOfWindow seen(look_.scale(), dropped_, panel.state);
  let_arrow_keys_move(panel.state.has_arrow_keys);
  begin_imgui_frame(window_, input_.mouse());
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::Begin("extra", nullptr, kExtraWindowFlags);
  ImGui::PopStyleVar();
  if (view_.has_controls()) {
    draw_content(panel);
  } else {
    view_.entry.draw(panel);
  }
  ImGui::End();
  if (view_.has_controls()) {
    draw_notices(panel);
    take_dropped_files(panel);
    draw_dragged_file(panel);
  }
  if (has_keyboard_) draw_command_palette(panel);
  ImGui::Render();
  input_.end_frame(std::exchange(panel.state.is_field_coming, false), panel.state.is_touched);
}

void ExtraWindow::draw_content(Panel& panel) {
  const auto screen = ImGui::GetIO().DisplaySize;
  if (view_.entry.draw == &draw_monitor_page && large_picture(panel.state))
    return put({"large picture", {0, 0}, screen}, panel, draw_large_picture);
  const float bar = panel.px(panel.state.is_touched ? kFingertip + 8 : 34);
  ImGui::SetCursorPos(ImVec2(0, 0));
  ImGui::BeginChild("bar", ImVec2(screen.x, bar), false, ImGuiWindowFlags_NoScrollbar);
  draw_bar(panel);
  ImGui::EndChild();
  const float top = bar + panel.px(kPanelGap);
  const bool lacks_show = view_.entry.needs_show && panel.view.show == nullptr;
  put({"page", {0, top}, {screen.x, screen.y - top}, lacks_show}, panel,
      lacks_show ? &draw_no_show : view_.entry.draw);
}

void ExtraWindow::draw_bar(Panel& panel) {
  const FingerStyle fingers(panel);
  const float middle = (ImGui::GetWindowHeight() - ImGui::GetFrameHeight()) / 2;
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const char* wide = is_fullscreen_ ? "Window (F11)" : "Full screen (F11)";
  const float padding = 2 * ImGui::GetStyle().FramePadding.x;
  const float buttons = width_of(wide) + width_of("Move back") + 2 * padding + 2 * gap;
  ImGui::SetCursorPos(ImVec2(panel.px(12), middle));
  ImGui::AlignTextToFramePadding();
  text_in(panel.fonts.strong, view_.entry.title);
  draw_state_words(panel);
  ImGui::SetCursorPos(ImVec2(ImGui::GetWindowWidth() - buttons, middle));
  if (ImGui::Button(wide)) wants_fullscreen_toggle_ = true;
  ImGui::SameLine();
  if (ImGui::Button("Move back")) {
    move_back(view_.entry.id, panel.state);
    if (view_.is_page()) panel.state.page = view_.page;
  }
  tooltip("Back into the main window; closing this window does it, too");
}

}  // namespace submix::ui
