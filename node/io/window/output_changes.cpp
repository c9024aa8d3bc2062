// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/output_changes.hpp"

#include <SDL.h>
#include <SDL_syswm.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include <X11/extensions/Xrandr.h>  // last, because it defines None, Success and more

namespace submix::io {
namespace {

// SDL's own connection, which SDL reveals only by a window. Null: SDL does not use X11.
::Display* server_of_sdl() {
  auto* window = SDL_CreateWindow("", 0, 0, 1, 1, SDL_WINDOW_HIDDEN);
  if (window == nullptr) return nullptr;
  SDL_SysWMinfo info{};
  SDL_VERSION(&info.version);
  const bool is_x11 =
      SDL_GetWindowWMInfo(window, &info) == SDL_TRUE && info.subsystem == SDL_SYSWM_X11;
  SDL_DestroyWindow(window);
  return is_x11 ? info.info.x11.display : nullptr;
}

// The first event type of the server's notices about outputs. 0: it sends none.
int first_notice_of(::Display* server) {
  int first_notice = 0;
  int first_error = 0;
  return XRRQueryExtension(server, &first_notice, &first_error) != 0 ? first_notice : 0;
}

// True for notices of the server, not for those of put_back().
bool is_notice(const XEvent& event) {
  const int first = first_notice_of(event.xany.display);
  return first != 0 && event.type == first + RRNotify && event.xany.send_event == False;
}

// The outputs in SDL's order: the primary one first.
std::vector<RROutput> outputs_of(::Display* server) {
  const auto root = DefaultRootWindow(server);
  auto* resources = XRRGetScreenResourcesCurrent(server, root);
  if (resources == nullptr) return {};
  std::vector<RROutput> outputs(resources->outputs, resources->outputs + resources->noutput);
  XRRFreeScreenResources(resources);
  const auto primary = std::find(outputs.begin(), outputs.end(), XRRGetOutputPrimary(server, root));
  if (primary != outputs.end()) std::rotate(outputs.begin(), primary, primary + 1);
  return outputs;
}

// Puts a notice in front of all waiting ones, for SDL.
void put_back(::Display* server, RROutput output, Connection connection) {
  XRROutputChangeNotifyEvent notice{};
  notice.type = first_notice_of(server) + RRNotify;
  notice.send_event = True;
  notice.display = server;
  notice.window = DefaultRootWindow(server);
  notice.subtype = RRNotify_OutputChange;
  notice.output = output;
  notice.connection = connection;
  XEvent event{};
  std::memcpy(&event, &notice, sizeof notice);
  XPutBackEvent(server, &event);
}

}  // namespace

// SDL asks for changes of outputs, but not of their positions. The X server keeps the first mask of
// a connection until that mask is withdrawn.
void hear_output_changes() {
  auto* server = server_of_sdl();
  if (server == nullptr || first_notice_of(server) == 0) return;
  const auto root = DefaultRootWindow(server);
  XRRSelectInput(server, root, 0);
  XRRSelectInput(server, root, RROutputChangeNotifyMask | RRCrtcChangeNotifyMask);
  SDL_EventState(SDL_SYSWMEVENT, SDL_ENABLE);
}

// SDL drops a display that seems unplugged, and reads an output again that seems plugged in.
void follow_output_change(const SDL_Event& event) {
  if (event.type != SDL_SYSWMEVENT || event.syswm.msg->subsystem != SDL_SYSWM_X11) return;
  const XEvent& told = event.syswm.msg->msg.x11.event;
  if (!is_notice(told)) return;
  auto outputs = outputs_of(told.xany.display);
  std::reverse(outputs.begin(), outputs.end());
  for (const auto output : outputs)
    put_back(told.xany.display, output, RR_Connected);
  for (const auto output : outputs)
    put_back(told.xany.display, output, RR_Disconnected);
}

}  // namespace submix::io
