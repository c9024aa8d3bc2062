// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/display_server.hpp"

#include "common/base/log.hpp"
#include "common/base/mutex.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <utility>
#include <vector>

#include <X11/Xatom.h>
#include <X11/Xlibint.h>  // last: it defines min, max and more

namespace submix {
namespace {

using OpenLocks = int (*)(Display*);

std::atomic<bool> is_lost{false};
thread_local std::jmp_buf* way_out = nullptr;
OpenLocks xlib_open_locks = nullptr;

struct OpenWindow {
  const void* display;
  Window window;

  friend bool operator==(const OpenWindow&, const OpenWindow&) = default;
};

struct Windows {
  Mutex mutex;
  std::vector<OpenWindow> all SUBMIX_GUARDED_BY(mutex);
};

Windows& windows() {
  static Windows all;
  return all;
}

void put_back(Display* display, Window window, int type) {
  XEvent event{};
  event.type = type;
  event.xany.display = display;
  event.xmap.event = window;
  event.xmap.window = window;
  XPutBackEvent(display, &event);
}

// Nothing is sent any more. Xlib fails badly when the requests fill its buffer.
void drop_requests(Display* display) {
  display->bufptr = display->buffer;
  display->last_req = display->buffer;
}

void put_back_notices(Display* display, Window window) {
  put_back(display, window, MapNotify);
  put_back(display, window, UnmapNotify);
}

// XIfEvent() goes on behind the last event that it has seen. The queue is emptied, so this event is
// reused for the first notice, and XIfEvent() begins again.
void drop_events(Display* display) {
  XEvent event;
  while (XQLength(display) > 0)
    XNextEvent(display, &event);
}

// Xlib calls it before on_end(). Its own handler ends the process.
int say_nothing(Display* /*display*/) {
  return 0;
}

// Once for each connection. Xlib's own handler ends the process.
void on_end(Display* display, void* /*unused*/) {
  is_lost = true;
  drop_requests(display);
  drop_events(display);
  {
    MutexLock lock(windows().mutex);
    for (const auto& open : windows().all) {
      if (open.display == display) put_back_notices(display, open.window);
    }
  }
  if (way_out != nullptr) std::longjmp(*std::exchange(way_out, nullptr), 1);
}

int open_locks(Display* display) {
  const int status = xlib_open_locks(display);
  if (status == 0) XSetIOErrorExitHandler(display, &on_end, nullptr);
  return status;
}

// SDL opens two connections and tells one of them. So the handler is set where Xlib makes the locks
// of a new connection: this is the only step of XOpenDisplay() that a program can extend.
bool extend_xlib() {
  XInitThreads();
  auto* place = static_cast<OpenLocks*>(::dlsym(RTLD_DEFAULT, "_XInitDisplayLock_fn"));
  if (place == nullptr || *place == nullptr) return false;
  xlib_open_locks = *place;
  *place = &open_locks;
  XSetIOErrorHandler(&say_nothing);
  return true;
}

}  // namespace

void outlive_display_server() {
  static const bool is_done = [] {
    std::signal(SIGPIPE, SIG_IGN);
    const bool is_possible = extend_xlib();
    if (!is_possible)
      log::warning("this libX11 ends the program when the X server ends; use libX11 1.8");
    return is_possible;
  }();
  static_cast<void>(is_done);
}

bool is_display_server_lost() {
  return is_lost;
}

void forget_lost_display_server() {
  is_lost = false;
}

void leave_if_lost(void (*step)(void* argument), void* argument) {
  std::jmp_buf here;
  if (is_lost || setjmp(here) != 0) return;
  way_out = &here;
  step(argument);
  way_out = nullptr;
}

void leave_keyboard_to_others(void* display, unsigned long window) {
  auto* server = static_cast<Display*>(display);
  constexpr unsigned long kNeverUsed = 0;
  const auto user_time = XInternAtom(server, "_NET_WM_USER_TIME", False);
  XChangeProperty(server, window, user_time, XA_CARDINAL, 32, PropModeReplace,
                  reinterpret_cast<const unsigned char*>(&kNeverUsed), 1);
}

WindowNotices::WindowNotices(void* display, unsigned long window)
    : display_(display), window_(window) {
  MutexLock lock(windows().mutex);
  windows().all.push_back({display_, window_});
}

WindowNotices::~WindowNotices() {
  MutexLock lock(windows().mutex);
  std::erase(windows().all, OpenWindow{display_, window_});
}

void WindowNotices::repeat() const {
  auto* display = static_cast<Display*>(display_);
  drop_requests(display);
  put_back_notices(display, window_);
}

}  // namespace submix
