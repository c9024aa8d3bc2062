// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/window_mailbox.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace submix::io {
namespace {

constexpr std::chrono::milliseconds kStopPollPeriod{20};  // how late a stop may be noticed

}  // namespace

void Doorbell::ring() {
  MutexLock lock(mutex_);
  has_rung_ = true;
  rung_.notify_one();
}

void Doorbell::wait_for(std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  MutexLock lock(mutex_);
  while (!has_rung_) {
    if (rung_.wait_until(mutex_, deadline) == std::cv_status::timeout) break;
  }
  has_rung_ = false;
}

WindowMailbox::WindowMailbox(Doorbell& doorbell, EventSink* events, std::string about,
                             std::chrono::milliseconds timeout)
    : doorbell_(doorbell), about_(std::move(about)), timeout_(timeout), events_(events) {}

WindowMailbox::Handover WindowMailbox::hand_over(WindowFrame next, const std::stop_token& stop) {
  const auto deadline = std::chrono::steady_clock::now() + timeout_;
  {
    MutexLock lock(mutex_);
    while (waiting_ && !is_stuck_ && has_display_) {
      if (stop.stop_requested()) return Handover::stopped;
      const auto now = std::chrono::steady_clock::now();
      if (now >= deadline) {
        is_stuck_ = true;
        report_locked(
            Severity::fault,
            fmt::format("the display has taken no frame for {} ms; the show goes on without it",
                        timeout_.count()));
        break;
      }
      taken_.wait_until(mutex_, std::min(deadline, now + kStopPollPeriod));
    }
    if (waiting_ && has_display_) return Handover::not_shown;
    waiting_ = std::move(next);
    if (!has_display_) return Handover::not_shown;
  }
  doorbell_.ring();
  return Handover::done;
}

void WindowMailbox::set(WindowSettings settings) {
  {
    MutexLock lock(mutex_);
    settings_ = std::move(settings);
  }
  doorbell_.ring();
}

void WindowMailbox::close() {
  {
    MutexLock lock(mutex_);
    is_closed_ = true;
    events_ = nullptr;
  }
  doorbell_.ring();
}

std::optional<WindowFrame> WindowMailbox::take() {
  MutexLock lock(mutex_);
  if (!waiting_) return std::nullopt;
  if (std::exchange(is_stuck_, false))
    report_locked(Severity::note, "the display takes frames again");
  taken_.notify_one();
  return std::exchange(waiting_, std::nullopt);
}

bool WindowMailbox::has_frame() const {
  MutexLock lock(mutex_);
  return waiting_.has_value();
}

bool WindowMailbox::keeps_time() const {
  MutexLock lock(mutex_);
  return keeps_time_ && !is_stuck_;
}

void WindowMailbox::keep_time(bool keeps_time) {
  MutexLock lock(mutex_);
  keeps_time_ = keeps_time;
}

// The limit is half a refresh: longer than a wake-up takes, and frames are shown at refreshes only.
void WindowMailbox::shown(std::uint64_t position, std::chrono::nanoseconds late,
                          std::chrono::nanoseconds refresh) {
  MutexLock lock(mutex_);
  jitter_.add(late);
  if (late <= refresh / 2) return;
  ++missed_frames_;
  missed_frame_ = position;
}

plugin::Lateness WindowMailbox::lateness() const {
  MutexLock lock(mutex_);
  return {jitter_.reading(), missed_frames_, missed_frame_};
}

WindowSettings WindowMailbox::settings() const {
  MutexLock lock(mutex_);
  return settings_;
}

void WindowMailbox::stand_at(WindowPlace place) {
  MutexLock lock(mutex_);
  place_ = std::move(place);
}

WindowPlace WindowMailbox::place() const {
  MutexLock lock(mutex_);
  return place_;
}

void WindowMailbox::lose_display(std::string trouble) {
  MutexLock lock(mutex_);
  has_display_ = false;
  is_stuck_ = false;
  keeps_time_ = false;
  place_ = {.trouble = std::move(trouble)};
  taken_.notify_one();
}

void WindowMailbox::regain_display() {
  MutexLock lock(mutex_);
  has_display_ = true;
  place_ = {};
}

bool WindowMailbox::is_closed() const {
  MutexLock lock(mutex_);
  return is_closed_;
}

void WindowMailbox::report(Severity severity, std::string text) {
  MutexLock lock(mutex_);
  report_locked(severity, std::move(text));
}

void WindowMailbox::report_locked(Severity severity, std::string text) {
  if (events_ != nullptr) events_->report(severity, about_, std::move(text));
}

}  // namespace submix::io
