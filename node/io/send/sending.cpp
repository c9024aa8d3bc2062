// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/send/sending.hpp"

#include "common/base/shown_address.hpp"
#include "common/base/thread.hpp"
#include "node/io/record/video_encoder.hpp"
#include "node/io/send/network_output.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace submix::io {
namespace {

constexpr std::chrono::seconds kRetryPause{2};

}  // namespace

Sending::Sending(Options options) : options_(std::move(options)) {
  queue_.reserve(kFramesInSending);
  thread_ = start_thread("send", [this](const std::stop_token& stop) { run(stop); });
}

Sending::~Sending() {
  send_to(std::nullopt);
}

void Sending::send_to(std::optional<SendTarget> target) {
  const MutexLock lock(mutex_);
  if (target == target_) return;
  target_stop_.request_stop();
  target_stop_ = std::stop_source();
  target_ = std::move(target);
  trouble_.set({});
  changed_.notify_all();
}

void Sending::offer(const media::Frame& frame, std::uint64_t position) {
  const MutexLock lock(mutex_);
  const bool is_room = is_open_ && queue_.size() + 1 < kFramesInSending;
  if (!is_room) {
    not_sent_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  queue_.push_back({frame, position});
  changed_.notify_all();
}

Sending::Counts Sending::counts() const {
  return {sent_.load(std::memory_order_relaxed), not_sent_.load(std::memory_order_relaxed)};
}

void Sending::run(const std::stop_token& stop) {
  while (const auto task = next_task(stop)) {
    const auto sent = carry_out(*task);
    close_queue();
    if (task->stop.stop_requested()) continue;
    if (!sent) tell_lost(*task, sent.error().message);
    pause_before_retry(task->stop);
  }
}

std::optional<Sending::Task> Sending::next_task(const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  static_cast<void>(changed_.wait(
      mutex_, stop, [this]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS { return target_.has_value(); }));
  if (!target_ || stop.stop_requested()) return std::nullopt;
  return Task{*target_, target_stop_.get_token()};
}

Result<void> Sending::carry_out(const Task& task) {
  auto encoder = VideoEncoder::open({RecordCodec::h264, task.target.bits_per_second}, options_.size,
                                    options_.rate);
  SUBMIX_TRY(encoder);
  auto output = NetworkOutput::open(task.target.address, *encoder->parameters(),
                                    encoder->time_base(), task.stop);
  SUBMIX_TRY(output);
  tell_connected(task);
  open_queue();
  std::optional<std::uint64_t> next_position;
  while (const auto waiting = next_frame(task.stop)) {
    // Frames that are not sent leave a gap in time, so the others keep their moments.
    if (next_position && waiting->position > *next_position)
      encoder->skip(static_cast<std::int64_t>(waiting->position - *next_position));
    next_position = waiting->position + 1;
    auto sent = encoder->encode(waiting->frame, false,
                                [&](const AVPacket& packet) { return output->write(packet); });
    (sent ? sent_ : not_sent_).fetch_add(1, std::memory_order_relaxed);
    SUBMIX_TRY(sent);
  }
  return {};
}

std::optional<Sending::Waiting> Sending::next_frame(const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  static_cast<void>(changed_.wait(
      mutex_, stop, [this]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS { return !queue_.empty(); }));
  if (stop.stop_requested()) return std::nullopt;
  auto waiting = std::move(queue_.front());
  queue_.erase(queue_.begin());
  return waiting;
}

void Sending::pause_before_retry(const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  static_cast<void>(changed_.wait_until(
      mutex_, stop, std::chrono::steady_clock::now() + kRetryPause, [] { return false; }));
}

void Sending::open_queue() {
  const MutexLock lock(mutex_);
  is_open_ = true;
}

void Sending::close_queue() {
  const MutexLock lock(mutex_);
  is_open_ = false;
  not_sent_.fetch_add(queue_.size(), std::memory_order_relaxed);
  queue_.clear();
}

void Sending::tell_connected(const Task& task) {
  const auto former = change_trouble(task, {});
  if (!former || former->empty() || options_.events == nullptr) return;
  options_.events->report(Severity::note, options_.about,
                          fmt::format("sends to {} again", shown_address(task.target.address)));
}

void Sending::tell_lost(const Task& task, const std::string& why) {
  const auto trouble = fmt::format("{}; nothing is sent, the show goes on; tried again every {} s",
                                   why, kRetryPause.count());
  const auto former = change_trouble(task, trouble);
  if (!former || !former->empty() || options_.events == nullptr) return;
  options_.events->report(Severity::warning, options_.about, trouble);
}

std::optional<std::string> Sending::change_trouble(const Task& task, const std::string& trouble) {
  const MutexLock lock(mutex_);
  if (task.stop.stop_requested()) return std::nullopt;
  auto former = trouble_.text();
  trouble_.set(trouble);
  return former;
}

}  // namespace submix::io
