// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "controller/session/session.hpp"
#include "controller/ui/options.hpp"
#include "controller/ui/panels.hpp"
#include "controller/ui/window.hpp"

#include <functional>
#include <optional>
#include <vector>

union SDL_Event;

namespace submix::ui {

/// The window's loop: sleeps until something happens, draws, hands on what people did.
///
/// Threads  Confined (ui).
/// Cost     While nobody touches it: as many frames as views come (at most 20 a second), none without a view.
class App {
 public:
  App(Window& window, session::Session& session, const Options& options);

  /// Until the window is closed, `is_told_to_stop` says so, or the screenshot is written.
  [[nodiscard]] Result<void> run(const std::function<bool()>& is_told_to_stop);

 private:
  void wait_for_events(LocalTime now);
  void process(const SDL_Event& event);
  void press(int key, bool is_shift, bool is_control);
  void post(session::Action action);
  void fit_scale();
  [[nodiscard]] Result<void> draw();
  void watch_pictures(const std::vector<session::PictureKey>& keys);

  Window& window_;
  session::Session& session_;
  const Options options_;
  Fonts fonts_;
  PanelState state_;
  PictureTextures textures_;
  float wanted_scale_;  ///< by the person; a small window gets a smaller one
  std::vector<session::PictureKey> watched_;
  bool is_quitting_ = false;
  bool has_news_ = true;
  LocalTime busy_until_{};  // people are at it: draw smoothly
  LocalTime next_frame_{};
};

}  // namespace submix::ui
