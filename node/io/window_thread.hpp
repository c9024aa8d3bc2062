// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "node/io/window_mailbox.hpp"

#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace submix::io {

class OutputWindow;

/// The thread `window`: owner of SDL and of all windows of the process. It starts with the first window.
///
/// A window whose slot has ended stays for a moment while another one waits for its first frame: with that it
/// becomes that one's, so that the screen is never bare in between.
///
/// Threads  Synchronized.
class WindowThread {
 public:
  WindowThread();
  ~WindowThread();
  WindowThread(const WindowThread&) = delete;
  WindowThread& operator=(const WindowThread&) = delete;

  /// A mailbox for a window to be; it must not outlive this.
  [[nodiscard]] std::shared_ptr<WindowMailbox> make_mailbox(EventSink* events, std::string about);
  /// Opens a window that shows what comes into `mailbox` until that is closed; or prepares the window that
  /// shows the same slot's pictures to go over to it. While others are shown, a new one appears with its
  /// first frame: it may not come to that. Fails without a display.
  [[nodiscard]] Result<void> open(Size frame_size, std::shared_ptr<WindowMailbox> mailbox)
      SUBMIX_EXCLUDES(mutex_);

 private:
  struct Request {
    Size frame_size;
    std::shared_ptr<WindowMailbox> mailbox;
    std::promise<Result<void>> answer;
  };

  void run(const std::stop_token& stop);
  void take_requests() SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Result<void> open_here(const Request& request);
  void handle_events();
  void end_closed();
  void hand_on_closed();
  void appear_when_alone();

  Doorbell doorbell_;
  Mutex mutex_;
  std::vector<Request> requests_
      SUBMIX_GUARDED_BY(mutex_);  // at most one for each caller that waits
  // The window thread's own:
  std::vector<std::unique_ptr<OutputWindow>> windows_;
  bool has_video_ = false;

  std::optional<std::jthread> thread_ SUBMIX_GUARDED_BY(mutex_);  // last: it uses all of the above
};

}  // namespace submix::io
