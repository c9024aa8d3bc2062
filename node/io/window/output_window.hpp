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
#include <cstdint>
#include <functional>
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
/// Until its first picture it soon says its name, and that it waits. In full screen it is black
/// until then, because the hall may see it.
///
/// When its display appears, the window moves there, and covers it if so set. Until then the window
/// is on another display (choose_display()). A window that a person has moved stays there until its
/// display or its wanted spot changes.
///
/// Another mailbox, even with another frame size, can take the window over. The former mailbox's
/// last picture stays until the new mailbox's first frame. Position and size of the window stay.
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
  /// mailboxes, the first to have a frame wins; mailboxes prepared before it are dropped.
  [[nodiscard]] Result<void> prepare(Size frame_size, std::shared_ptr<WindowMailbox> mailbox);
  /// Shows the window now, even if it waits for its first frame.
  void appear();

  /// Takes the mailbox's settings and frame. Draws if there is something new to show, or if
  /// `output` has changed.
  void update(OutputState output);
  /// The machine has these displays now.
  void follow(std::vector<Display> displays);
  /// Handles an event. Events of other windows are ignored.
  void handle(const SDL_Event& event);
  [[nodiscard]] bool is_closed() const { return mailbox_->is_closed() && !is_prepared(); }
  /// True if a mailbox is prepared to take the window over.
  [[nodiscard]] bool is_prepared() const { return !prepared_.empty(); }
  [[nodiscard]] bool has_appeared() const { return has_appeared_; }
  /// True if the window has been closed for at least `time`, as far as this class has seen.
  [[nodiscard]] bool is_closed_for(std::chrono::milliseconds time);
  /// The display server has ended, and this window ends, too. Its mailboxes stop waiting, and
  /// report `trouble`. Returns the mailboxes that another window must show, the newest last.
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
  /// The test card that is shown, or the one of a window that waits for its first picture.
  struct Card {
    Texture texture;
    Size size;
    std::string about;
  };
  /// The former slot's picture, shown while the output is frozen.
  struct Held {
    Texture texture;
    Size frame_size;
  };

  /// The window's display, and why it is not the requested one.
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
  void go_to_spot();
  [[nodiscard]] Rectangle wanted_area() const;
  void tell_place();
  void want_fullscreen(bool is_wanted);
  void receive_key(const SDL_Event& event);
  void cover_by_hand(bool is_fullscreen);
  void set_fullscreen(bool is_fullscreen);
  void set_visible(bool is_visible);
  void draw();
  void draw_test_card(Size room);
  void draw_waiting_card(Size room);
  using PaintCard = std::function<std::vector<std::uint8_t>()>;
  void draw_card(Size room, const std::string& about, const PaintCard& paint);
  void notice_waiting();
  [[nodiscard]] bool is_waiting() const;
  void draw_picture(Size room);
  void draw_in_time(const WindowFrame& next);
  [[nodiscard]] std::chrono::nanoseconds refresh() const;
  void keep_time();

  std::unique_ptr<Handles> handles_;
  std::shared_ptr<WindowMailbox> mailbox_;
  Size frame_size_;
  // In order of prepare(). Some have no frame yet; some will never have one.
  std::vector<Prepared> prepared_;
  std::vector<std::shared_ptr<WindowMailbox>> former_;  // their frames are no longer shown
  bool has_appeared_ = false;
  std::optional<std::chrono::steady_clock::time_point> closed_since_;
  WindowSettings applied_;
  std::vector<Display> displays_;
  Stand stand_;
  bool wants_fullscreen_ = false;   // the keys may differ from the settings
  bool is_fullscreen_ = false;      // false while it is on another display than its own
  Rectangle windowed_;              // position before full screen
  Size wanted_size_;                // while it covers no display; by hand it may have another
  bool is_placed_by_hand_ = false;  // no window manager: this class placed it at `windowed_`
  bool is_visible_ = true;
  bool needs_drawing_ = true;
  OutputState output_;
  std::optional<Held> held_;
  std::optional<Card> card_;
  bool has_picture_ = false;                                          // in the texture
  std::optional<std::chrono::steady_clock::time_point> waits_since_;  // for its first picture
  bool says_it_waits_ = false;
  bool is_drawn_by_cpu_ = false;
  DisplayTime display_time_;
  media::Frame newest_;      // painted again after the screen has lost it
  bool is_uploaded_ = true;  // the newest frame is the texture's picture
};

}  // namespace submix::io
