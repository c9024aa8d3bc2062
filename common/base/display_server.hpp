// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix {

/// Lets this process outlive its X server. Without it, Xlib ends the process with the server. With
/// it, calls on a lost connection return at once, and the connection can be closed as usual. A
/// Wayland server ends no programs. From then on, the process ignores SIGPIPE: Xlib may be writing
/// when the server ends.
///
/// Threads  Any. Call it before the process opens its first connection; later calls do nothing.
/// Errors   Logged if this libX11 does not permit it: the process then ends as before.
void outlive_display_server();

/// True from the first call on a lost connection until forget_lost_display_server(). Any thread.
[[nodiscard]] bool is_display_server_lost();

/// Call it when all lost connections are closed, before new ones are opened.
void forget_lost_display_server();

/// Calls `step(argument)`, and leaves it in the middle if a connection is lost meanwhile. Does
/// nothing if one is lost already.
void leave_if_lost(void (*step)(void* argument), void* argument);

/// The same for a lambda. It is for calls of SDL that take the server's answers for granted: SDL is
/// left as it was at that moment. `step` must own nothing that a destructor gives back.
template <typename Step>
void leave_if_lost(Step step) {
  leave_if_lost([](void* argument) { (*static_cast<Step*>(argument))(); }, &step);
}

/// Call it before a window of an X server appears. It then leaves the keyboard to the window that
/// has it, if the window manager knows _NET_WM_USER_TIME. `display` is Xlib's.
void leave_keyboard_to_others(void* display, unsigned long window);

/// Ends SDL's waits for a window. After it has shown or hidden a window, SDL waits for the X
/// server's notice, without a limit. While this object lives, a lost connection finds both notices
/// for the window in its queue.
///
/// Threads  Confined (the thread that uses the connection).
class WindowNotices {
 public:
  /// `display` is Xlib's, and outlives this object.
  WindowNotices(void* display, unsigned long window);
  ~WindowNotices();
  WindowNotices(const WindowNotices&) = delete;
  WindowNotices& operator=(const WindowNotices&) = delete;

  /// Call it on the lost connection before the window is destroyed: SDL may have read the notices.
  void repeat() const;

 private:
  void* const display_;
  const unsigned long window_;
};

}  // namespace submix
