// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/media/frame.hpp"
#include "node/io/display_time.hpp"
#include "node/io/picture_fit.hpp"
#include "node/io/window_mailbox.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

union SDL_Event;
struct SDL_Texture;

namespace submix::io {

/// One window on a screen: a picture in its middle, as large as fits, black around it. F or a double click
/// goes to full screen and back, Escape back; closing hides it.
///
/// Another mailbox, of frames of another size perhaps, can take it over: it shows the former one's last
/// picture until that one's first frame, and stays where and as large as it is.
///
/// Threads  Confined (the window thread); so is all of SDL.
/// Errors   open(), prepare(): SDL has no window, renderer or texture to give; the message says so.
class OutputWindow {
 public:
  enum class Appears { at_once, with_first_frame };

  [[nodiscard]] static Result<std::unique_ptr<OutputWindow>> open(
      Size frame_size, std::shared_ptr<WindowMailbox> mailbox, Appears appears = Appears::at_once);
  ~OutputWindow();
  OutputWindow(const OutputWindow&) = delete;
  OutputWindow& operator=(const OutputWindow&) = delete;

  /// Goes over to `mailbox` with its first frame, unless that is closed before. Of several, to whichever has
  /// one; those prepared before it are not gone over to any more.
  [[nodiscard]] Result<void> prepare(Size frame_size, std::shared_ptr<WindowMailbox> mailbox);
  /// Also one that would appear with its first frame.
  void appear();

  /// Takes what the mailbox holds: a wish, a frame. Draws when there is something new to see.
  void update();
  /// An event of any window; those of others are ignored.
  void handle(const SDL_Event& event);
  [[nodiscard]] bool is_closed() const { return mailbox_->is_closed() && !is_prepared(); }
  /// Whether there is one that it may go over to.
  [[nodiscard]] bool is_prepared() const { return !prepared_.empty(); }
  [[nodiscard]] bool has_appeared() const { return has_appeared_; }
  /// Whether it has been closed, and known to be, for so long.
  [[nodiscard]] bool is_closed_for(std::chrono::milliseconds time);
  [[nodiscard]] Size frame_size() const { return frame_size_; }
  [[nodiscard]] const std::shared_ptr<WindowMailbox>& mailbox() const { return mailbox_; }

 private:
  struct Handles;
  struct EndTexture {
    void operator()(SDL_Texture* texture) const;
  };
  using Texture = std::unique_ptr<SDL_Texture, EndTexture>;
  struct Prepared {
    std::shared_ptr<WindowMailbox> mailbox;
    Size frame_size;
    Texture texture;
  };

  OutputWindow(std::unique_ptr<Handles> handles, std::shared_ptr<WindowMailbox> mailbox,
               Size frame_size);

  [[nodiscard]] std::optional<Showing> take_frame();
  [[nodiscard]] std::optional<Showing> go_over();
  void drop_closed();
  void fit_to(Size frame_size);

  void apply(const WindowWish& wish);
  void set_fullscreen(bool is_fullscreen);
  void set_visible(bool is_visible);
  void draw();
  void draw_in_time(const Showing& showing);
  [[nodiscard]] std::chrono::nanoseconds refresh() const;
  void keep_time();

  std::unique_ptr<Handles> handles_;
  std::shared_ptr<WindowMailbox> mailbox_;
  Size frame_size_;
  std::vector<Prepared>
      prepared_;  // in that order; some run and have no frame yet, some never will
  std::vector<std::shared_ptr<WindowMailbox>> former_;  // whose frames nobody sees any more
  bool has_appeared_ = false;
  std::optional<std::chrono::steady_clock::time_point> closed_since_;
  WindowWish applied_;
  bool is_fullscreen_ = false;      // the keys may differ from the wish
  Rectangle windowed_;              // where it was before it filled the screen
  bool is_placed_by_hand_ = false;  // there; no window manager does it
  bool is_visible_ = true;
  bool needs_drawing_ = true;
  bool is_drawn_by_cpu_ = false;
  DisplayTime display_time_;
  media::Frame shown_;  // painted again when the screen forgets it
};

}  // namespace submix::io
