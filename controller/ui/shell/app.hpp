// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "common/cluster/membership.hpp"
#include "controller/input/input_service.hpp"
#include "controller/session/session.hpp"
#include "controller/ui/draw/picture_textures.hpp"
#include "controller/ui/panel.hpp"
#include "controller/ui/shell/commands.hpp"
#include "controller/ui/shell/extra_windows.hpp"
#include "controller/ui/shell/frame_pacer.hpp"
#include "controller/ui/shell/imgui_window.hpp"
#include "controller/ui/shell/learnt_keys.hpp"
#include "controller/ui/shell/local_nodes.hpp"
#include "controller/ui/shell/measurement.hpp"
#include "controller/ui/shell/options.hpp"
#include "controller/ui/shell/pc_check.hpp"
#include "controller/ui/shell/preferences.hpp"
#include "controller/ui/shell/several_pcs.hpp"
#include "controller/ui/shell/window.hpp"
#include "controller/ui/shell/window_input.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::ui {

/// The services that the window shows and controls.
struct Backend {
  session::Session& session;
  input::InputService& controls;
  bool has_own_nats = false;  ///< the window has started the NATS server, and ends it
  std::optional<cluster::Membership> membership{};  ///< the desk whose server the session follows
  std::string membership_error{};                   ///< why it cannot be read; empty: it can
  pairing::ServerUsers* server_users = nullptr;     ///< of the window's own server, if it has one
};

/// The state that the next window takes over when this PC has changed its desk.
struct NextStart {
  bool shows_several_pcs = false;
  bool has_local_nodes = false;  ///< LocalNodes ran a whole show
};

/// The window's main loop: sleeps until an event or a new view comes, draws, posts people's
/// actions.
///
/// Threads  Confined (ui).
/// Cost     Without input, one frame for each new view (at most 20 a second), and none without a
///          new view.
class App {
 public:
  App(Window& window, const Backend& backend, const Options& options,
      const Preferences& preferences, NextStart start = {});

  /// Runs until the window is closed or must start again, `is_told_to_stop` returns true, or the
  /// screenshot is written. Fails when the display server ends.
  [[nodiscard]] Result<void> run(const std::function<bool()>& is_told_to_stop);
  /// The result of --measure after run() has ended. Empty: nothing was measured.
  [[nodiscard]] std::string measured() const {
    return measurement_ ? measurement_->json() : std::string();
  }
  /// After run() has ended. Empty: the program ends.
  [[nodiscard]] std::optional<NextStart> next_start() const;
  [[nodiscard]] const FrameMeter& meter() const { return meter_; }
  /// Writes the window's present settings, but not those of a window that is measured or
  /// photographed. A failure is logged.
  void keep_preferences();

 private:
  void begin_with(const Backend& backend, const std::string& own_node, NextStart start);
  /// This PC's node in the preferences. It stays while the window follows another server.
  [[nodiscard]] const std::string& own_node() const;
  [[nodiscard]] Preferences preferences() const;
  /// Whether this PC has changed its desk. False in the perform mode.
  [[nodiscard]] bool must_start_over() const;
  [[nodiscard]] bool is_due_to_draw(LocalTime now) const;
  void wait_for_events(LocalTime now);
  void receive(const SDL_Event& event);
  void process_waiting(LocalTime now);
  /// Handles an event of the window with this input, whose context is the current one. True: pass
  /// the event to the window, too.
  [[nodiscard]] bool process(const SDL_Event& event, WindowInput& input);
  [[nodiscard]] bool process_key(const SDL_KeyboardEvent& key);
  /// `is_repeated`: the key is held down.
  void press(const KeyPress& press, bool is_repeated);
  void release_learnt_keys(const SDL_Event& event);
  void open_menu_of_control();
  void refuse_to_learn(const KeyPress& press, const Command& command);
  void close_overlays();
  /// Whether the open command palette consumes the key.
  [[nodiscard]] bool press_in_palette(int key);
  [[nodiscard]] bool keep_for_palette(const SDL_Event& text, WindowInput& input);
  void post(session::Action action);
  void post(input::PressKey press);
  /// The main window's appearance.
  [[nodiscard]] Appearance look() const;
  /// Gives the keyboard to a new dialog of the main window, and brings the window to the front.
  void give_keyboard_to_dialog();
  [[nodiscard]] Result<void> draw();
  /// Draws a frame of the main window and measures its parts. `begin`: when the frame began.
  void draw_main_window(Panel& panel, LocalTime begin);
  /// Lets pictures, nodes and checks follow the frame that was drawn.
  void tend_services(Panel& panel);
  /// Calls `act` with a panel of the newest view, then posts the actions that it collected.
  template <typename Act>
  void with_panel(Act act);
  void plan_next_frame(LocalTime now);
  /// False: the measurement is over.
  [[nodiscard]] bool go_on_measuring();
  void watch_pictures(const Panel& panel);
  void tend_extra_windows(Panel& panel);

  Window& window_;
  session::Session& session_;
  input::InputService& controls_;
  const Options options_;
  ContextLook look_;
  PanelState state_;
  LearntKeys learnt_keys_;
  PictureTextures textures_;
  LocalNodes local_nodes_;
  PcChecker pc_checker_;
  SeveralPcs several_pcs_;
  std::string kept_own_node_;  // in the file of preferences
  ExtraWindows extra_;
  bool had_dialog_ = false;  // in the previous frame
  bool has_lost_display_ = false;
  std::vector<session::PictureKey> watched_;
  std::optional<session::PictureKey> watched_large_;
  std::vector<model::MediaPictureKey> watched_media_;
  std::vector<model::EffectPictureKey> watched_effects_;
  // In this frame; kept so that the next frame allocates nothing.
  std::vector<session::PictureKey> shown_;
  bool has_news_ = true;
  LocalTime busy_until_{};  // somebody uses the window until then: draw smoothly
  WindowInput input_;
  FramePacer pacer_;
  FrameMeter meter_;
  LocalTime awake_since_{};  // begin of this turn of the loop
  std::optional<Measurement> measurement_;
  std::shared_ptr<const model::ClusterView> view_;  // the view that is drawn
};

}  // namespace submix::ui
