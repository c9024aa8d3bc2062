// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/media/frame.hpp"
#include "node/io/picture_fit.hpp"
#include "node/io/window_mailbox.hpp"

#include <memory>

union SDL_Event;

namespace submix::io {

/// One window on a screen: a picture in its middle, as large as fits, black around it. F or a double click
/// goes to full screen and back, Escape back; closing hides it.
///
/// Threads  Confined (the window thread); so is all of SDL.
/// Errors   open(): SDL has no window or renderer to give; the message says so.
class OutputWindow {
 public:
  [[nodiscard]] static Result<std::unique_ptr<OutputWindow>> open(Size frame_size,
                                                                  std::shared_ptr<WindowMailbox> mailbox);
  ~OutputWindow();
  OutputWindow(const OutputWindow&) = delete;
  OutputWindow& operator=(const OutputWindow&) = delete;

  /// Takes what the mailbox holds: a wish, a frame. Draws when there is something new to see.
  void update();
  /// An event of any window; those of others are ignored.
  void handle(const SDL_Event& event);
  [[nodiscard]] bool is_closed() const { return mailbox_->is_closed(); }

 private:
  struct Handles;

  OutputWindow(std::unique_ptr<Handles> handles, std::shared_ptr<WindowMailbox> mailbox, Size frame_size);

  void apply(const WindowWish& wish);
  void set_fullscreen(bool is_fullscreen);
  void set_visible(bool is_visible);
  void draw();

  std::unique_ptr<Handles> handles_;
  std::shared_ptr<WindowMailbox> mailbox_;
  Size frame_size_;
  WindowWish applied_;
  bool is_fullscreen_ = false;  // the keys may differ from the wish
  Rectangle windowed_;          // where it was before it filled the screen
  bool is_visible_ = true;
  bool needs_drawing_ = true;
  media::Frame shown_;  // painted again when the screen forgets it
};

}  // namespace submix::io
