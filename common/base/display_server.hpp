// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix {

/// Lets this process outlive its X server. Without it, Xlib ends the process with the server. With it,
/// all calls on a lost connection return at once, and the connection can be closed as usual. A
/// Wayland server that ends does not end its programs.
///
/// Threads  Any. Call it before the process opens its first connection; later calls do nothing.
/// Errors   Logged if this libX11 does not permit it: the process then ends as before.
void outlive_display_server();

/// True from the first call on a lost connection until forget_lost_display_server(). Any thread.
[[nodiscard]] bool is_display_server_lost();

/// Call it when all lost connections are closed, before new ones are opened.
void forget_lost_display_server();

/// Ends SDL's waits for a window. After it has shown or hidden a window, SDL waits for the X server's
/// notice, without a limit. While this object lives, a lost connection finds both notices for the
/// window in its queue.
///
/// Threads  Confined (the thread that uses the connection).
class WindowNotices {
 public:
  /// `display` is Xlib's, and outlives this object.
  WindowNotices(void* display, unsigned long window);
  ~WindowNotices();
  WindowNotices(const WindowNotices&) = delete;
  WindowNotices& operator=(const WindowNotices&) = delete;

  /// Puts both notices into the queue of the lost connection, where SDL may have taken them out.
  void repeat() const;

 private:
  void* const display_;
  const unsigned long window_;
};

}  // namespace submix
