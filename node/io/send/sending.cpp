// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/send/sending.hpp"

#include "common/base/shown_address.hpp"
#include "node/io/record/video_encoder.hpp"
#include "node/io/send/network_output.hpp"

#include <fmt/format.h>

#include <utility>

namespace submix::io {

Sending::Sending(Options options)
    : options_(std::move(options)),
      attempts_({.thread = "send",
                 .about = options_.about,
                 .consequence = "nothing is sent, the show goes on",
                 .events = options_.events},
                [this](const Attempts::Task& task) { return carry_out(task); }) {}

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

Result<void> Sending::carry_out(const Attempts::Task& task) {
  auto sent = send_frames(task);
  close_queue();
  return sent;
}

Result<void> Sending::send_frames(const Attempts::Task& task) {
  auto encoder = VideoEncoder::open({RecordCodec::h264, task.target.bits_per_second}, options_.size,
                                    options_.rate);
  SUBMIX_TRY(encoder);
  auto output = NetworkOutput::open(task.target.address, *encoder->parameters(),
                                    encoder->time_base(), task.stop);
  SUBMIX_TRY(output);
  attempts_.tell_working(task,
                         fmt::format("sends to {} again", shown_address(task.target.address)));
  open_queue();
  std::optional<std::uint64_t> next_position;
  while (const auto waiting = next_frame(task.stop)) {
    // Frames that are not sent leave a gap, so the others keep their times.
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

}  // namespace submix::io
