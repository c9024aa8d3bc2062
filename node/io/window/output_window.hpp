// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/display.hpp"
#include "common/base/result.hpp"
#include "common/media/frame.hpp"
#include "node/io/picture_fit.hpp"
#include "node/io/window/display_time.hpp"
#include "node/io/window/output_control.hpp"
#include "node/io/window/window_mailbox.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

union SDL_Event;
struct SDL_Texture;

namespace submix::io {

/// A slot's frames for a window.
struct WindowSource {
  Size frame_size;
  std::shared_ptr<WindowMailbox> mailbox;
};

/// One window on a screen: a picture in its middle, as large as fits, black around it. F, F11 or
/// a double click switches full screen on and off, Escape leaves it. Closing hides the window.
///
/// The window goes to its display when that comes, and then covers it if it was told to. Meanwhile it
/// stands on another display (choose_display()). Where a person has moved it, it stays until its
/// display changes.
///
/// Another mailbox, even with another frame size, can take the window over. The window shows the
/// former mailbox's last picture until the new mailbox's first frame. Its position and size stay.
///
/// Threads  Confined (the window thread); so is all of SDL.
/// Errors   open(), prepare(): SDL cannot make a window, renderer or texture; the message says
///          which.
class OutputWindow {
 public:
  enum class Appears { at_once, with_first_frame };

  [[nodiscard]] static Result<std::unique_ptr<OutputWindow>> open(
      Size frame_size, std::shared_ptr<WindowMailbox> mailbox, std::vector<Display> displays,
      Appears appears = Appears::at_once);
  ~OutputWindow();
  OutputWindow(const OutputWindow&) = delete;
  OutputWindow& operator=(const OutputWindow&) = delete;

  /// Switches to `mailbox` at its first frame, unless it is closed before. Of several prepared
  /// mailboxes, the one that first has a frame wins; mailboxes prepared earlier are dropped.
  [[nodiscard]] Result<void> prepare(Size frame_size, std::shared_ptr<WindowMailbox> mailbox);
  /// Shows the window now, even if it was to appear with its first frame.
  void appear();

  /// Takes the mailbox's settings and frame. Draws if there is something new to see, or if `output`
  /// says otherwise than before.
  void update(OutputState output);
  /// The machine has these displays now.
  void follow(std::vector<Display> displays);
  /// Handles an event. Events of other windows are ignored.
  void handle(const SDL_Event& event);
  [[nodiscard]] bool is_closed() const { return mailbox_->is_closed() && !is_prepared(); }
  /// True if a mailbox is prepared to take the window over.
  [[nodiscard]] bool is_prepared() const { return !prepared_.empty(); }
  [[nodiscard]] bool has_appeared() const { return has_appeared_; }
  /// True if the window has been known to be closed for `time` or longer.
  [[nodiscard]] bool is_closed_for(std::chrono::milliseconds time);
  /// The display server has ended, and this window is to end. Its mailboxes hold nobody up, and show
  /// `trouble`. Returns those that another window is to show, the newest last.
  [[nodiscard]] std::vector<WindowSource> lose_display(const std::string& trouble);
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
  /// The test card that is shown.
  struct Card {
    Texture texture;
    Size size;
    std::string display;
  };
  /// The former slot's picture, which stays while the output is frozen.
  struct Held {
    Texture texture;
    Size frame_size;
  };

  /// The window's display, and why it is not the one that was asked for.
  struct Stand {
    std::optional<Display> display;  // empty: there is none
    DisplayChoice choice;

    friend bool operator==(const Stand& a, const Stand& b) {
      return a.display == b.display && a.choice.missing == b.choice.missing;
    }
  };

  OutputWindow(std::unique_ptr<Handles> handles, std::shared_ptr<WindowMailbox> mailbox,
               Size frame_size, std::vector<Display> displays);

  [[nodiscard]] std::optional<WindowFrame> take_frame();
  [[nodiscard]] std::optional<WindowFrame> switch_over();
  void drop_closed();
  void fit_to(Size frame_size);

  void follow(OutputState output);
  void upload();
  void apply(const WindowSettings& settings);
  [[nodiscard]] Stand wanted_stand(const WindowSettings& settings) const;
  void go_to(Stand stand);
  void tell_place();
  void want_fullscreen(bool is_wanted);
  void receive_key(const SDL_Event& event);
  void cover_by_hand(bool is_fullscreen);
  void set_fullscreen(bool is_fullscreen);
  void set_visible(bool is_visible);
  void draw();
  void draw_card(Size room);
  void draw_picture(Size room);
  void draw_in_time(const WindowFrame& next);
  [[nodiscard]] std::chrono::nanoseconds refresh() const;
  void keep_time();

  std::unique_ptr<Handles> handles_;
  std::shared_ptr<WindowMailbox> mailbox_;
  Size frame_size_;
  // In order of prepare(). Some run and have no frame yet; some never will have one.
  std::vector<Prepared> prepared_;
  std::vector<std::shared_ptr<WindowMailbox>> former_;  // their frames are not shown any more
  bool has_appeared_ = false;
  std::optional<std::chrono::steady_clock::time_point> closed_since_;
  WindowSettings applied_;
  std::vector<Display> displays_;
  Stand stand_;
  bool wants_fullscreen_ = false;   // the keys may differ from the settings
  bool is_fullscreen_ = false;      // not while it must not cover its stand-in
  Rectangle windowed_;              // position before full screen
  bool is_placed_by_hand_ = false;  // placed by hand at `windowed_`: no window manager does it
  bool is_visible_ = true;
  bool needs_drawing_ = true;
  OutputState output_;
  std::optional<Held> held_;
  std::optional<Card> card_;
  bool has_picture_ = false;  // in the texture
  bool is_drawn_by_cpu_ = false;
  DisplayTime display_time_;
  media::Frame newest_;      // painted again when the screen forgets it
  bool is_uploaded_ = true;  // the newest frame is the texture's picture
};

}  // namespace submix::io
