// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/stream/stream_edge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace submix::io {
namespace {

// The frames of a second, so a receiver that comes and goes does not hold the others up each time.
std::uint64_t frames_to_return(FrameRate rate) {
  return static_cast<std::uint64_t>(std::ceil(rate.frames_per_second()));
}

}  // namespace

StreamEdge::StreamEdge(StreamEdgeOptions options)
    : options_(std::move(options)),
      policy_(options_.policy, options_.pause_budget),
      attachment_(frames_to_return(options_.rate)) {
  sender().watch_credit([this] { tell_watchers(); });
}

StreamEdge::~StreamEdge() {
  sender().watch_credit({});
}

bool StreamEdge::offer(const media::Frame& frame, bool is_shared) {
  if (policy_.kind() == show::InputPolicy::latest) {
    if (!attachment_.is_attached()) tell_attached();
    attachment_.attach();
    sender().send_latest(frame);
    return true;
  }
  if (attachment_.is_attached()) {
    if (!sender().try_send(frame, is_shared)) return false;
    static_cast<void>(attachment_.take());  // still attached: nothing to report
    return true;
  }
  // The frame may go a little before its credit: a receiver that keeps pace with others whose queue
  // is equally full always gets its credit just then.
  if (!sender().send_latest(frame, true)) {
    attachment_.miss();
  } else if (attachment_.take()) {
    tell_attached();
  }
  return true;
}

bool StreamEdge::wait(const media::Frame& frame, const std::stop_token& stop) {
  if (!sender().send_for(frame, kPolicyPollPeriod, stop)) return false;
  static_cast<void>(attachment_.take());  // still attached: nothing to report
  return true;
}

bool StreamEdge::gives_up(const media::Frame& frame, bool do_others_wait, LocalTime now) {
  if (!attachment_.delay(do_others_wait, now, policy_.pause_budget())) return false;
  tell_detached();
  sender().send_latest(frame, true);
  return true;
}

bool StreamEdge::holds_back() const {
  return policy_.kind() != show::InputPolicy::latest &&
         is_attached_.load(std::memory_order_relaxed);
}

void StreamEdge::watch(const void* owner, std::function<void()> watcher) {
  const MutexLock lock(watching_);
  watchers_.emplace_back(owner, std::move(watcher));
}

void StreamEdge::unwatch(const void* owner) {
  const MutexLock lock(watching_);
  std::erase_if(watchers_, [owner](const auto& watcher) { return watcher.first == owner; });
}

void StreamEdge::tell_watchers() {
  const MutexLock lock(watching_);
  for (const auto& [owner, watcher] : watchers_)
    watcher();
}

void StreamEdge::set_policy(show::InputPolicy kind, std::chrono::milliseconds pause_budget) {
  policy_.set(kind, pause_budget);
  tell_watchers();
}

telemetry::StreamReading StreamEdge::telemetry() const {
  auto reading = sender().telemetry();
  MutexLock lock(mutex_);
  reading.detached = detached_;
  return reading;
}

void StreamEdge::tell_detached() {
  const auto reading = sender().telemetry();
  skipped_before_detached_ = reading.frames_skipped;
  auto why = fmt::format(
      "{} took no frame for {} ms while others waited: detached, frames pass it by until it has "
      "kept up for a second. Let it never hold others up: submix policy {} latest; or longer: "
      "--pause-budget MS",
      reading.peer.empty() ? "its receiver" : fmt::format("node {}", reading.peer),
      policy_.pause_budget().count(), sender().stream());
  report(Severity::warning, why);
  set_detached(std::move(why));
}

void StreamEdge::tell_attached() {
  const auto skipped = sender().telemetry().frames_skipped - skipped_before_detached_;
  report(Severity::note, fmt::format("attached again; {} frames have passed it by", skipped));
  set_detached({});
}

void StreamEdge::set_detached(std::string why) {
  is_attached_.store(why.empty(), std::memory_order_relaxed);
  {
    MutexLock lock(mutex_);
    detached_ = std::move(why);
  }
  tell_watchers();
}

void StreamEdge::report(Severity severity, const std::string& text) const {
  if (options_.events == nullptr) return;
  options_.events->report(severity, options_.about,
                          fmt::format("stream {}: {}", sender().stream(), text));
}

}  // namespace submix::io
