// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/display.hpp"
#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "node/io/window/display_watch.hpp"
#include "node/io/window/displays.hpp"
#include "node/io/window/output_control.hpp"
#include "node/io/window/output_window.hpp"
#include "node/io/window/sdl_displays.hpp"
#include "node/io/window/window_mailbox.hpp"

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace submix::io {

/// The thread `window`: owns SDL and all windows of the process. It starts with the first window,
/// or with watch_displays().
///
/// A window whose slot has ended stays for a moment while another slot waits for its first frame.
/// That slot takes the window over, so the screen is never empty in between.
///
/// The windows end with their display server, and are opened again when it answers again. Meanwhile
/// their mailboxes do not wait, and new windows wait for the server, too.
///
/// Threads  Synchronized.
class WindowThread {
 public:
  /// Returns SDL's displays, called on this thread.
  using ListDisplays = std::function<std::vector<Display>()>;

  /// The windows follow `control`. `displays` receives the machine's displays; may be null.
  explicit WindowThread(std::shared_ptr<OutputControl> control,
                        std::shared_ptr<Displays> displays = {},
                        ListDisplays list_displays = &read_displays);
  ~WindowThread();
  WindowThread(const WindowThread&) = delete;
  WindowThread& operator=(const WindowThread&) = delete;

  /// Watches the displays even without a window, in a session at a screen. Call it before open();
  /// without `displays` it does nothing.
  void watch_displays() SUBMIX_EXCLUDES(mutex_);

  /// A mailbox for a future window. It must not outlive this thread.
  [[nodiscard]] std::shared_ptr<WindowMailbox> make_mailbox(EventSink* events, std::string about);
  /// Opens a window that shows the frames of `mailbox` until the mailbox is closed. If a window
  /// already shows this slot's pictures, it is prepared to switch to `mailbox`. While other windows
  /// are shown, a new window appears only with its first frame. Fails without a display.
  [[nodiscard]] Result<void> open(Size frame_size, std::shared_ptr<WindowMailbox> mailbox)
      SUBMIX_EXCLUDES(mutex_);

 private:
  struct Request {
    WindowSource source;
    std::promise<Result<void>> answer;
  };

  void start_here() SUBMIX_REQUIRES(mutex_);
  void run(const std::stop_token& stop);
  void take_requests() SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Result<void> open_here(const WindowSource& source);
  [[nodiscard]] Result<void> open_window(const WindowSource& source);
  void use_video();
  [[nodiscard]] bool has_lost_display() const;
  void lose_display();
  void wait_for_display(WindowSource source);
  void regain_display(LocalTime now);
  void handle_events();
  void watch_without_video();
  void learn(std::vector<Display> displays);
  void end_closed();
  void hand_on_closed();
  void appear_when_alone();

  const std::shared_ptr<OutputControl> control_;
  const std::shared_ptr<Displays> published_;
  const ListDisplays list_displays_;
  Doorbell doorbell_;
  Mutex mutex_;
  // At most one for each waiting caller.
  std::vector<Request> requests_ SUBMIX_GUARDED_BY(mutex_);
  // The window thread's own:
  std::vector<std::unique_ptr<OutputWindow>> windows_;
  bool is_watching_ = false;  // set before the thread starts
  bool has_video_ = false;
  bool has_lost_connection_ = false;   // to a Wayland server, as SDL has reported
  std::vector<WindowSource> waiting_;  // sources that wait for the ended display server
  std::string trouble_;                // of the waiting sources; empty: no server has ended
  LocalTime next_try_{};
  std::vector<Display> displays_;
  std::optional<DisplayWatch> watch_;  // while there is no window

  std::optional<std::jthread> thread_ SUBMIX_GUARDED_BY(mutex_);  // last: it uses all members above
};

}  // namespace submix::io
