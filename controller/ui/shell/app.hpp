// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "controller/input/input_service.hpp"
#include "controller/session/session.hpp"
#include "controller/ui/panels.hpp"
#include "controller/ui/shell/commands.hpp"
#include "controller/ui/shell/frame_pacer.hpp"
#include "controller/ui/shell/input_queue.hpp"
#include "controller/ui/shell/local_nodes.hpp"
#include "controller/ui/shell/measurement.hpp"
#include "controller/ui/shell/options.hpp"
#include "controller/ui/shell/preferences.hpp"
#include "controller/ui/shell/window.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::ui {

/// What the window shows and steers.
struct Backend {
  session::Session& session;
  input::InputService& controls;
  bool has_own_nats = false;  ///< the NATS server ends with the window
};

/// The window's loop: sleeps until something happens, draws, hands on what people did.
///
/// Threads  Confined (ui).
/// Cost     While nobody touches it: as many frames as views come (at most 20 a second), none without a view.
class App {
 public:
  App(Window& window, Backend backend, const Options& options, const Preferences& preferences);

  /// Until the window is closed, `is_told_to_stop` says so, or the screenshot is written.
  [[nodiscard]] Result<void> run(const std::function<bool()>& is_told_to_stop);
  /// What was asked for by --measure, once run() has ended; empty: nothing was.
  [[nodiscard]] std::string measured() const {
    return measurement_ ? measurement_->json() : std::string();
  }
  [[nodiscard]] const FrameMeter& meter() const { return meter_; }
  /// As the window is now.
  [[nodiscard]] Preferences preferences() const;

 private:
  [[nodiscard]] bool is_due_to_draw(LocalTime now) const;
  void wait_for_events(LocalTime now);
  void receive(const SDL_Event& event);
  void process(const SDL_Event& event);
  /// `is_repeated`: it is held down.
  void press(const KeyPress& press, bool is_repeated);
  void close_overlays();
  /// Whether an open palette takes it.
  [[nodiscard]] bool press_in_palette(int key);
  [[nodiscard]] bool keep_for_palette(const SDL_Event& text);
  void post(session::Action action);
  void fit_look();
  [[nodiscard]] Result<void> draw();
  /// Gives `act` a panel of the newest view, and posts what people want then.
  template <typename Act>
  void with_panel(Act act);
  void plan_next_frame(LocalTime now);
  /// Whether there is more to measure.
  [[nodiscard]] bool go_on_measuring();
  void watch_pictures(const std::vector<session::PictureKey>& keys,
                      const std::optional<session::PictureKey>& large);

  Window& window_;
  session::Session& session_;
  input::InputService& controls_;
  const Options options_;
  Fonts fonts_;
  PanelState state_;
  PictureTextures textures_;
  LocalNodes local_nodes_;
  std::optional<Look> look_;
  std::vector<session::PictureKey> watched_;
  std::optional<session::PictureKey> watched_large_;
  std::vector<session::PictureKey>
      shown_;  // in this frame; kept, so that the next one needs no memory
  bool has_news_ = true;
  LocalTime busy_until_{};  // people are at it: draw smoothly
  InputQueue input_;
  FramePacer pacer_;
  FrameMeter meter_;
  LocalTime awake_since_{};  // of this turn of the loop
  std::optional<Measurement> measurement_;
  std::shared_ptr<const model::ClusterView> view_;  // that is drawn
};

}  // namespace submix::ui
