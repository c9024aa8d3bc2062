// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/app.hpp"

#include "common/base/display_server.hpp"
#include "common/base/log.hpp"
#include "common/base/thread.hpp"
#include "common/cluster/address.hpp"
#include "common/media/png.hpp"
#include "controller/ui/draw/dividers_state.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/other_letters.hpp"
#include "controller/ui/draw/picture_textures.hpp"
#include "controller/ui/draw/plugin_stills.hpp"
#include "controller/ui/draw/tour_state.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/edits/full_screen.hpp"
#include "controller/ui/edits/show_files.hpp"
#include "controller/ui/pages/file_choice.hpp"
#include "controller/ui/pages/local_nodes_state.hpp"
#include "controller/ui/pages/pages.hpp"
#include "controller/ui/pages/several_pcs_state.hpp"
#include "controller/ui/pages/wall.hpp"
#include "controller/ui/shell/about.hpp"
#include "controller/ui/shell/arrow_keys.hpp"
#include "controller/ui/shell/command_palette.hpp"
#include "controller/ui/shell/key_strokes.hpp"
#include "controller/ui/shell/pc_check_state.hpp"
#include "controller/ui/shell/perform_mode.hpp"
#include "controller/ui/shell/quit.hpp"
#include "controller/ui/shell/screen.hpp"

#include <SDL.h>

#include <algorithm>
#include <utility>

namespace submix::ui {
namespace {

constexpr std::chrono::milliseconds kCalmPeriod{100};  // without a graphics card and without input
// After the last input, for hover effects and key repeats.
constexpr std::chrono::milliseconds kBusyTime{600};
// Longest delay until a signal to stop is noticed.
constexpr std::chrono::milliseconds kIdleWait{250};
constexpr Size kSizeOfAnyScale{8192, 8192};  // as the person wants it

int milliseconds_until(LocalTime moment, LocalTime now) {
  const auto rest = std::chrono::ceil<std::chrono::milliseconds>(moment - now);
  return static_cast<int>(std::clamp<std::int64_t>(rest.count(), 0, kIdleWait.count()));
}

/// ImGui renews WantTextInput with each frame only: a field that Enter has just ended still counts
/// there.
bool is_field_active() {
  return ImGui::GetIO().WantTextInput && ImGui::IsAnyItemActive();
}

// Then a key means no text: a display server may send the letter of Ctrl+F, too. AltGr may count as
// Ctrl and Alt.
bool is_control_held() {
  const auto held = SDL_GetModState();
  return (held & KMOD_CTRL) != 0 && (held & (KMOD_ALT | KMOD_MODE)) == 0;
}

bool wait_for_event(SDL_Event& event, int patience_ms) {
  bool has_event = false;
  leave_if_lost([&] { has_event = SDL_WaitEventTimeout(&event, patience_ms) != 0; });
  return has_event;
}

Result<void> display_is_lost() {
  return fail(
      "the display server has ended, and this window with it; start it again in a desktop session. "
      "The cluster keeps the show, and Open an autosave (Ctrl+K) has what is in no file");
}

}  // namespace

App::App(Window& window, const Backend& backend, const Options& options,
         const Preferences& preferences, NextStart start)
    : window_(window),
      session_(backend.session),
      controls_(backend.controls),
      options_(options),
      textures_(window.drawing()),
      // Named, so that no node leaves this window's server for a desk.
      local_nodes_(options.nats_url.empty() ? std::string(cluster::kDefaultUrl) : options.nats_url,
                   options.key_file),
      several_pcs_(backend.has_own_nats, options.hides_show, backend.server_users) {
  state_.wanted_scale = static_cast<float>(options.scale.value_or(preferences.scale));
  state_.theme = options.theme.value_or(preferences.theme);
  state_.page = options.page.value_or(preferences.page);
  state_.files->recent = preferences.recent;
  state_.tour->was_seen = preferences.was_tour_seen;
  state_.tour->is_wanted = options.has_tour && !preferences.was_tour_seen;
  state_.quit->has_nats = backend.has_own_nats;
  begin_with(backend, preferences.own_node, start);
  state_.dividers->shares = preferences.dividers;
  state_.editing->favourites = preferences.favourites;
  extra_.begin_with(preferences.windows, state_);
  if (options.measured.count() > 0) measurement_.emplace(options.measured);
  if (auto stills = PluginStills::read(plugin_stills_folder()))
    *state_.plugin_stills = *std::move(stills);
  else
    log::warning("plugins have no pictures of their own: {}", stills.error().message);
}

void App::begin_with(const Backend& backend, const std::string& own_node, NextStart start) {
  auto& pcs = *state_.several_pcs;
  auto& nodes = *state_.local_nodes;
  const auto& membership = backend.membership;
  pcs.membership = membership;
  pcs.is_broken = !backend.membership_error.empty();
  pcs.is_desk_fixed = !membership && (!options_.nats_url.empty() || !options_.key_file.empty());
  if (start.shows_several_pcs || pcs.is_broken) pcs.open();
  pcs.error = backend.membership_error;
  if (pcs.is_open && membership && membership->is_own) pcs.wish = SeveralPcsState::Wish::offer_code;
  // The dialog says what is wrong with the desk's list.
  if (backend.server_users != nullptr && !backend.server_users->problem().empty()) pcs.open();
  // The nodes of a show on one PC are none of another desk's show.
  nodes.are_wanted = start.has_local_nodes && (!membership || membership->is_own);
  kept_own_node_ = own_node;
  if (!membership || options_.is_read_only) return;
  nodes.own = own_node;
  if (start.shows_several_pcs && !nodes.are_wanted && nodes.own.empty())
    nodes.own = usual_node_name();
}

const std::string& App::own_node() const {
  const auto& pcs = *state_.several_pcs;
  const bool has_part = !pcs.is_desk_fixed && !pcs.is_broken && !options_.is_read_only;
  return has_part ? state_.local_nodes->own : kept_own_node_;
}

void App::keep_preferences() {
  if (measurement_ || !options_.screenshot.empty()) return;
  kept_own_node_ = own_node();
  if (const auto kept = write_preferences(preferences_file(), preferences()); !kept)
    log::warning("{}", kept.error().message);
}

std::optional<NextStart> App::next_start() const {
  if (!must_start_over() || state_.quit->is_sure) return std::nullopt;
  return NextStart{.shows_several_pcs = state_.several_pcs->is_open,
                   .has_local_nodes = state_.local_nodes->are_started};
}

Preferences App::preferences() const {
  return {state_.theme,
          state_.wanted_scale,
          state_.page,
          window_.size(),
          state_.files->recent,
          state_.dividers->shares,
          state_.editing->favourites,
          extra_.places(state_),
          state_.tour->was_seen,
          own_node()};
}

Result<void> App::run(const std::function<bool()>& is_told_to_stop) {
  const auto screenshot_at = LocalTime::clock::now() + options_.after;
  awake_since_ = LocalTime::clock::now();
  while (!state_.quit->is_sure && !must_start_over() && !is_told_to_stop()) {
    wait_for_events(LocalTime::clock::now());
    if (has_lost_display_ || is_display_server_lost()) return display_is_lost();
    if (measurement_ && !go_on_measuring()) break;
    const auto now = LocalTime::clock::now();
    if (!options_.is_read_only) several_pcs_.look_after_list(*state_.several_pcs, now);
    if (is_due_to_draw(now) && now >= pacer_.next()) {
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

bool App::must_start_over() const {
  return state_.several_pcs->is_to_start_over && !state_.is_performing;
}

bool App::is_due_to_draw(LocalTime now) const {
  return has_news_ || now < busy_until_ || input_.is_busy() || extra_.is_busy() ||
         now >= several_pcs_.next_draw();
}

void App::wait_for_events(LocalTime now) {
  const int patience = is_due_to_draw(now) ? milliseconds_until(pacer_.next(), now)
                                           : static_cast<int>(kIdleWait.count());
  SDL_Event event;
  meter_.responsiveness.add_turn(awake_since_, LocalTime::clock::now());
  const bool has_event = wait_for_event(event, patience);
  awake_since_ = LocalTime::clock::now();
  if (has_event) {
    do {
      receive(event);
    } while (wait_for_event(event, 0));
  }
  process_waiting(awake_since_);
}

void App::process_waiting(LocalTime now) {
  input_.advance(now);
  while (const auto next = input_.take()) {
    if (process(*next, input_)) window_.process(*next);
  }
  for (const auto& extra : extra_.windows()) {
    const ContextUse use(extra->context());
    extra->input().advance(now);
    while (const auto next = extra->input().take()) {
      if (process(*next, extra->input())) extra->process(*next);
    }
  }
}

void App::receive(const SDL_Event& event) {
  if (event.type >= SDL_USEREVENT) {
    has_news_ = true;  // by Window::wake()
    return;
  }
  has_lost_display_ = has_lost_display_ || event.type == SDL_QUIT;
  const auto now = LocalTime::clock::now();
  busy_until_ = now + kBusyTime;
  pacer_.hurry(now);
  if (!extra_.receive(event, now, state_))
    input_.receive(event, window_.size(), now, state_.is_touched);
}

bool App::process(const SDL_Event& event, WindowInput& input) {
  refuse_to_quit_while_performing(state_);
  const bool is_main_closed =
      event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_CLOSE;
  if (is_main_closed) state_.quit->is_wanted = true;
  if (event.type == SDL_DROPFILE) {
    state_.dropped.push_back({event.drop.file, window_.mouse_in_window()});
    SDL_free(event.drop.file);
  }
  if (event.type == SDL_TEXTINPUT) return !is_control_held() && !keep_for_palette(event, input);
  release_learnt_keys(event);
  return event.type != SDL_KEYDOWN || process_key(event.key);
}

void App::release_learnt_keys(const SDL_Event& event) {
  if (event.type == SDL_KEYUP) {
    if (auto released = learnt_keys_.release(event.key.keysym.scancode)) post(*std::move(released));
  }
  const bool is_away =
      event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_FOCUS_LOST;
  if (!is_away) return;
  for (auto& released : learnt_keys_.release_all())
    post(std::move(released));
}

bool App::process_key(const SDL_KeyboardEvent& key) {
  const auto [sym, modifiers] = std::pair(key.keysym.sym, key.keysym.mod);
  if (press_in_palette(sym)) return false;
  if (sym == SDLK_ESCAPE) close_overlays();
  if (sym == SDLK_RETURN || sym == SDLK_KP_ENTER) state_.quit->is_sure = state_.quit->is_wanted;
  const auto meant = press_of({sym, static_cast<int>(key.keysym.scancode), modifiers});
  const bool may_act = !is_field_active() || acts_while_typing(meant);
  if (!may_act || !is_heard(meant, state_)) return true;
  if (!can_be_learnt(meant)) {
    press(meant, key.repeat != 0);
  } else if (key.repeat == 0 && !is_typed_into(state_)) {
    post(learnt_keys_.press(meant, key.keysym.scancode));
  }
  return true;
}

bool App::press_in_palette(int key) {
  auto& palette = *state_.palette;
  if (!palette.is_open) return false;
  if (key == SDLK_ESCAPE) {
    palette = {};
  } else if (key == SDLK_UP || key == SDLK_DOWN) {
    palette.moved += key == SDLK_DOWN ? 1 : -1;
  } else if (key == SDLK_RETURN || key == SDLK_KP_ENTER) {
    palette.is_entered = true;
  } else {
    return false;
  }
  return true;
}

// A click beside the command palette takes the focus from its field. Typing returns the focus.
bool App::keep_for_palette(const SDL_Event& text, WindowInput& input) {
  auto& palette = *state_.palette;
  if (!palette.is_open || palette.is_active) return false;
  palette.has_focus = false;
  input.put_back(text);
  return true;
}

// One press of Escape leaves one thing: a drag before a menu, a menu before the dialog below it.
void App::close_overlays() {
  if (give_up_drag()) return;
  constexpr auto kAnyPopup = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
  const bool has_menu = ImGui::IsPopupOpen("", kAnyPopup);
  state_.closes_menus = true;
  state_.editing->browser.replaced.clear();
  if (has_menu) return;
  if (controls_.view()->learning) {
    static_cast<void>(controls_.post(input::StopLearning{}));
  } else if (!close_topmost(state_) && view_ != nullptr && view_->open_question != nullptr) {
    post(session::CancelOpen{});
  }
}

void App::refuse_to_learn(const KeyPress& press, const Command& command) {
  const auto words = fmt::format("{} is not learnt: it is the key of \"{}\"; press another",
                                 keys_text(press), command.title);
  state_.notice = OwnNotice{words, LocalTime::clock::now()};
}

void App::press(const KeyPress& press, bool is_repeated) {
  const auto* command = find_command(press);
  if (command != nullptr && controls_.view()->learning) {
    refuse_to_learn(press, *command);
    if (!acts_while_typing(press)) return;
  }
  if (is_repeated && (command == nullptr || !command->may_repeat)) return;
  for (std::size_t i = 0; i < pages().size(); ++i) {
    if (press == page_key(i)) state_.page = pages()[i].id;
  }
  if (command != nullptr) {
    with_panel([&](Panel& panel) { execute(*command, panel); });
  }
}

template <typename Act>
void App::with_panel(Act act) {
  if (!measurement_ || !measurement_->is_view_frozen()) view_ = session_.view();
  const auto view = view_;
  const auto pictures = session_.pictures();
  const auto input = controls_.view();
  std::vector<session::Action> actions;
  std::vector<input::InputAction> input_actions;
  shown_.clear();
  Panel panel{*view,     *pictures, *input,        look_.fonts(), state_,
              textures_, actions,   input_actions, shown_};
  act(panel);
  for (auto& action : actions) {
    if (state_.is_performing && is_structural(action, view->edit)) {
      state_.notice = OwnNotice{std::string(kStructureStays), LocalTime::clock::now()};
    } else {
      post(std::move(action));
    }
  }
  for (auto& action : input_actions)
    static_cast<void>(controls_.post(std::move(action)));  // fails only if thousands wait
}

void App::post(input::PressKey press) {
  static_cast<void>(controls_.post(std::move(press)));  // fails only if thousands wait
}

void App::post(session::Action action) {
  if (session_.post(std::move(action))) return;
  state_.notice =
      OwnNotice{"not done: this computer is too busy, thousands of messages wait; try it again",
                LocalTime::clock::now()};
}

// A right click on it. As after a finger, the mouse stays there until the real one moves.
void App::open_menu_of_control() {
  const auto at = control_of_arrow_keys();
  if (!at) return;
  const auto [x, y] = std::pair(static_cast<int>(at->x), static_cast<int>(at->y));
  SDL_Event motion{};
  motion.motion.type = SDL_MOUSEMOTION;
  motion.motion.which = SDL_TOUCH_MOUSEID;
  motion.motion.x = x;
  motion.motion.y = y;
  receive(motion);
  for (const auto type : {SDL_MOUSEBUTTONDOWN, SDL_MOUSEBUTTONUP}) {
    SDL_Event button{};
    button.button.type = type;
    button.button.which = SDL_TOUCH_MOUSEID;
    button.button.button = SDL_BUTTON_RIGHT;
    button.button.x = x;
    button.button.y = y;
    receive(button);
  }
}

Appearance App::look() const {
  return {state_.theme, fitting_scale(state_.wanted_scale, window_.size()), window_.is_low_power()};
}

Result<void> App::draw() {
  const auto wanted = look();
  state_.scale = wanted.scale;
  if (look_.fit(wanted)) SUBMIX_TRY(window_.upload_fonts());
  give_keyboard_to_dialog();
  if (std::exchange(state_.wants_menu, false)) open_menu_of_control();
  has_news_ = false;

  const auto begin = LocalTime::clock::now();
  plan_next_frame(begin);
  const auto cpu_before = thread_cpu_time();
  with_panel([&](Panel& panel) {
    draw_main_window(panel, begin);
    meter_.cpu.add(thread_cpu_time() - cpu_before);
    tend_extra_windows(panel);
    pacer_.took(LocalTime::clock::now() - begin);
    tend_services(panel);
  });

  if (other_letters().has_new()) {
    other_letters().find(*look_.fonts().text);
    has_news_ = true;
  }
  return {};
}

void App::draw_main_window(Panel& panel, LocalTime begin) {
  const auto taken = LocalTime::clock::now();
  let_arrow_keys_move(state_.has_arrow_keys);
  window_.begin_frame(input_.mouse());
  draw_screen(panel);
  take_dropped_files(panel);
  draw_dragged_file(panel);
  draw_about(meter_, panel);
  ImGui::Render();

  const auto built = LocalTime::clock::now();
  window_.end_frame();
  const auto shown = LocalTime::clock::now();
  input_.end_frame(std::exchange(state_.is_field_coming, false), state_.is_touched);

  meter_.view.add(taken - begin);
  meter_.build.add(built - taken);
  meter_.raster.add(shown - built);
  meter_.frame.add(shown - begin);
}

void App::tend_services(Panel& panel) {
  textures_.keep_only(panel.pictures, panel.view);
  watch_pictures(panel);
  if (panel.view.show != nullptr) finish_full_screen(panel);
  local_nodes_.tend(panel.view, window_, state_, panel.actions);
  if (own_node() != kept_own_node_) keep_preferences();  // it survives a window that is killed
  pc_checker_.tend(panel.view, *state_.pc_check);
  several_pcs_.tend(*state_.several_pcs, LocalTime::clock::now(),
                    {panel.view, state_.local_nodes->is_any_running(), state_.is_performing},
                    panel.actions);
}

void App::give_keyboard_to_dialog() {
  const bool has_dialog = has_main_dialog(state_);
  if (has_dialog && !had_dialog_ && !state_.extra_page.empty()) window_.bring_to_front();
  if (has_dialog) extra_.leave_keyboard_to_main(state_);
  had_dialog_ = has_dialog;
}

void App::tend_extra_windows(Panel& panel) {
  auto wanted = look();
  wanted.scale = fitting_scale(state_.wanted_scale, kSizeOfAnyScale);
  if (extra_.tend(panel, session_.pictures(), {wanted, window_.display()})) window_.take_keyboard();
}

// The pace depends on the phase.
bool App::go_on_measuring() {
  const auto phase = measurement_->advance(LocalTime::clock::now(), meter_);
  if (phase == Measurement::Phase::over) return false;
  if (!measurement_->is_touched()) return true;
  const auto now = LocalTime::clock::now();
  if (now >= busy_until_) pacer_.hurry(now);  // as the first mouse movement does
  busy_until_ = now + kBusyTime;
  return true;
}

void App::plan_next_frame(LocalTime now) {
  if (measurement_ && measurement_->is_hurried()) {
    pacer_.begin_frame(now, now);
  } else if (window_.is_low_power() && now >= busy_until_) {
    pacer_.begin_frame(now, now + kCalmPeriod);
  } else {
    pacer_.begin_frame(now);
  }
}

void App::watch_pictures(const Panel& panel) {
  if (panel.watched != watched_ || panel.watched_large != watched_large_) {
    watched_ = panel.watched;
    watched_large_ = panel.watched_large;
    post(session::WatchPictures{watched_, watched_large_});
  }
  if (panel.watched_media != watched_media_) {
    watched_media_ = panel.watched_media;
    post(session::WatchMediaPictures{watched_media_});
  }
  if (panel.watched_effects != watched_effects_) {
    watched_effects_ = panel.watched_effects;
    post(session::WatchEffectPictures{watched_effects_});
  }
}

}  // namespace submix::ui
