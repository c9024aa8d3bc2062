// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/window_thread.hpp"

#include "common/base/display_server.hpp"
#include "common/base/program_folder.hpp"
#include "common/base/thread.hpp"
#include "node/io/window/output_changes.hpp"

#include <SDL.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace submix::io {
namespace {

using std::chrono::milliseconds;

// How often input is read while no frame comes. A person feels no delay; the cost is 0.1 % of a
// core.
constexpr milliseconds kInputPeriod{20};
// How late a new display may be noticed.
constexpr milliseconds kWatchPeriod{1000};
// As long as the next patch may wait for other nodes.
constexpr milliseconds kBareTimeout{2000};
constexpr std::chrono::seconds kOpenTimeout{10};  // a remote display may be slow
// How late a window may come back. Not more often, because Xlib writes a line for each try that
// another user's server refuses.
constexpr milliseconds kRegainPeriod{2000};

// Without a display SDL may draw windows that nobody sees.
bool is_seen_by_nobody() {
  const char* driver = SDL_GetCurrentVideoDriver();
  const bool is_wanted = SDL_getenv("SDL_VIDEODRIVER") != nullptr;
  return !is_wanted && driver != nullptr && std::string_view(driver) == "offscreen";
}

Result<void> start_video() {
  outlive_display_server();
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");         // Ctrl-C is the node's
  SDL_SetHint(SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0");  // the show goes on
  // Otherwise the software renderer goes through OpenGL.
  SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
  SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
  // Full screen stays while a person works elsewhere.
  SDL_SetHint(SDL_HINT_VIDEO_MINIMIZE_ON_FOCUS_LOSS, "0");
  std::string reason = "none answers";
  int status = -1;
  forget_lost_display_server();
  leave_if_lost([&] { status = SDL_InitSubSystem(SDL_INIT_VIDEO); });
  if (status != 0) {
    reason = SDL_GetError();
  } else if (is_seen_by_nobody()) {
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
  } else {
    return {};
  }
  return fail(
      "there is no display for the window: {}; set DISPLAY or WAYLAND_DISPLAY for the node, or "
      "remove the slot",
      reason);
}

std::string ended_server_trouble() {
  const auto* driver = SDL_GetCurrentVideoDriver();
  const bool is_x = driver != nullptr && std::string_view(driver) == "x11";
  const auto* variable = is_x ? "DISPLAY" : "WAYLAND_DISPLAY";
  const auto* name = std::getenv(variable);
  return fmt::format(
      "the display server has ended; the show goes on without this window, which opens again when "
      "{}={} answers: log in there, or remove the slot",
      variable, name == nullptr ? "" : name);
}

}  // namespace

WindowThread::WindowThread(std::shared_ptr<OutputControl> control,
                           std::shared_ptr<Displays> displays, ListDisplays list_displays)
    : control_(std::move(control)),
      published_(std::move(displays)),
      list_displays_(std::move(list_displays)) {
  control_->watch([this] { doorbell_.ring(); });
}

WindowThread::~WindowThread() {
  control_->watch({});
  MutexLock lock(mutex_);
  if (!thread_) return;
  thread_->request_stop();
  doorbell_.ring();
}

void WindowThread::watch_displays() {
  if (published_ == nullptr || !is_display_server_named()) return;
  MutexLock lock(mutex_);
  if (thread_) return;
  is_watching_ = true;
  start_here();
}

void WindowThread::start_here() {
  if (!thread_)
    thread_ = start_thread("window", [this](const std::stop_token& stop) { run(stop); });
}

std::shared_ptr<WindowMailbox> WindowThread::make_mailbox(EventSink* events, std::string about) {
  return std::make_shared<WindowMailbox>(doorbell_, events, std::move(about));
}

Result<void> WindowThread::open(Size frame_size, std::shared_ptr<WindowMailbox> mailbox) {
  std::future<Result<void>> answer;
  {
    MutexLock lock(mutex_);
    requests_.push_back({{frame_size, std::move(mailbox)}, {}});
    answer = requests_.back().answer.get_future();
    start_here();
  }
  doorbell_.ring();
  if (answer.wait_for(kOpenTimeout) != std::future_status::ready) {
    return fail("the display has not answered for {} s; remove the slot to run without a window",
                kOpenTimeout.count());
  }
  return answer.get();
}

void WindowThread::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    doorbell_.wait_for(has_video_ ? kInputPeriod : kWatchPeriod);
    if (has_lost_display()) lose_display();
    if (!trouble_.empty()) regain_display(SteadyClock().now());
    take_requests();
    end_closed();
    if (has_video_) {
      handle_events();
    } else {
      watch_without_video();
    }
    if (has_lost_display()) continue;
    appear_when_alone();
    for (const auto& window : windows_)
      window->update(control_->state());
  }
  windows_.clear();
  watch_.reset();
  SDL_Quit();  // also frees hints and errors, not only video
}

void WindowThread::end_closed() {
  hand_on_closed();
  const bool does_one_wait = std::any_of(windows_.begin(), windows_.end(), [](const auto& window) {
    return !window->has_appeared() && !window->is_closed();
  });
  const auto timeout = does_one_wait ? kBareTimeout : milliseconds(0);
  std::erase_if(windows_, [&](const auto& window) { return window->is_closed_for(timeout); });
}

// Opening another window, or covering a screen with it, takes the time of several frames. A window
// that may switch to another mailbox of its own is not handed on.
void WindowThread::hand_on_closed() {
  const auto former = std::find_if(windows_.begin(), windows_.end(), [](const auto& window) {
    return window->has_appeared() && window->is_closed();
  });
  if (former == windows_.end()) return;
  const auto next = std::find_if(windows_.begin(), windows_.end(), [](const auto& window) {
    return !window->has_appeared() && !window->is_prepared() && window->mailbox()->has_frame();
  });
  if (next == windows_.end()) return;
  if ((*former)->prepare((*next)->frame_size(), (*next)->mailbox())) windows_.erase(next);
}

// Then it covers no other window. While it waits for its first frame it is black, not missing.
void WindowThread::appear_when_alone() {
  const bool is_one_shown = std::any_of(windows_.begin(), windows_.end(),
                                        [](const auto& window) { return window->has_appeared(); });
  if (is_one_shown) return;
  for (const auto& window : windows_)
    window->appear();
}

void WindowThread::take_requests() {
  std::vector<Request> requests;
  {
    MutexLock lock(mutex_);
    requests.swap(requests_);
  }
  for (auto& request : requests)
    request.answer.set_value(open_here(request.source));
}

Result<void> WindowThread::open_here(const WindowSource& source) {
  if (!trouble_.empty()) {
    wait_for_display(source);
    return {};
  }
  if (!has_video_) {
    if (auto started = start_video(); !started) return started;
    use_video();
  }
  auto opened = open_window(source);
  if (opened || !has_lost_display()) return opened;
  lose_display();
  wait_for_display(source);
  return {};
}

void WindowThread::use_video() {
  has_video_ = true;
  leave_if_lost([] { hear_output_changes(); });
  watch_.reset();  // from now on SDL's events report displays
  learn(list_displays_());
}

Result<void> WindowThread::open_window(const WindowSource& source) {
  const auto same = std::find_if(windows_.begin(), windows_.end(), [&](const auto& window) {
    return window->mailbox()->about() == source.mailbox->about();
  });
  if (same != windows_.end()) return (*same)->prepare(source.frame_size, source.mailbox);
  const auto appears =
      windows_.empty() ? OutputWindow::Appears::at_once : OutputWindow::Appears::with_first_frame;
  auto window = OutputWindow::open(source.frame_size, source.mailbox, displays_, appears);
  SUBMIX_TRY(window);
  windows_.push_back(std::move(*window));
  return {};
}

bool WindowThread::has_lost_display() const {
  return has_video_ && (has_lost_connection_ || is_display_server_lost());
}

void WindowThread::lose_display() {
  trouble_ = ended_server_trouble();
  for (const auto& window : windows_) {
    for (auto& source : window->lose_display(trouble_))
      wait_for_display(std::move(source));
  }
  windows_.clear();
  // Only the same kind of display server: otherwise SDL could take over the console.
  SDL_SetHint(SDL_HINT_VIDEODRIVER, SDL_GetCurrentVideoDriver());
  SDL_QuitSubSystem(SDL_INIT_VIDEO);
  has_lost_connection_ = false;
  has_video_ = false;
  learn({});
}

void WindowThread::wait_for_display(WindowSource source) {
  source.mailbox->lose_display(trouble_);
  source.mailbox->report(Severity::fault, trouble_);
  waiting_.push_back(std::move(source));
}

void WindowThread::regain_display(LocalTime now) {
  std::erase_if(waiting_, [](const auto& source) { return source.mailbox->is_closed(); });
  if (waiting_.empty() || now < next_try_) return;
  next_try_ = now + kRegainPeriod;
  if (!start_video()) return;
  use_video();
  trouble_.clear();
  for (const auto& source : std::exchange(waiting_, {})) {
    source.mailbox->regain_display();
    if (auto opened = open_here(source); !opened)
      source.mailbox->report(Severity::fault, opened.error().message);
    else if (trouble_.empty())
      source.mailbox->report(Severity::note,
                             "the display server answers again, and the window is back");
  }
}

void WindowThread::handle_events() {
  leave_if_lost([] { SDL_PumpEvents(); });
  if (has_lost_display()) return;
  bool is_other_display = false;
  SDL_Event event;
  while (SDL_PeepEvents(&event, 1, SDL_GETEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) > 0) {
    follow_output_change(event);
    is_other_display = is_other_display || event.type == SDL_DISPLAYEVENT;
    // Only a lost connection causes SDL_QUIT here.
    has_lost_connection_ = has_lost_connection_ || event.type == SDL_QUIT;
    for (const auto& window : windows_)
      window->handle(event);
  }
  if (is_other_display) learn(list_displays_());
}

void WindowThread::watch_without_video() {
  if (!is_watching_) return;
  if (!watch_) watch_.emplace(private_program("submix-displays"));
  if (auto displays = watch_->news(SteadyClock().now())) learn(*std::move(displays));
}

void WindowThread::learn(std::vector<Display> displays) {
  if (published_ != nullptr) published_->set(displays);
  displays_ = std::move(displays);
  for (const auto& window : windows_)
    window->follow(displays_);
}

}  // namespace submix::io
