// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/camera/camera_writing.hpp"

extern "C" {
#include <libavutil/pixfmt.h>
}

#include <fmt/format.h>

namespace submix::io {
namespace {

constexpr std::chrono::milliseconds kRepeated{100};
constexpr std::size_t kYuyvPixelBytes = 2;

}  // namespace

CameraWriting::CameraWriting(Options options)
    : options_(std::move(options)),
      size_(camera_size(options_.size)),
      attempts_({.thread = "camera",
                 .about = options_.about,
                 .consequence = "no program has the picture, the show goes on",
                 .events = options_.events},
                [this](const Attempts::Task& task) { return carry_out(task); }) {}

void CameraWriting::offer(const media::Frame& frame) {
  const MutexLock lock(mutex_);
  if (latest_) not_written_.fetch_add(1, std::memory_order_relaxed);
  latest_ = frame;
  changed_.notify_all();
}

CameraWriting::Counts CameraWriting::counts() const {
  return {written_.load(std::memory_order_relaxed), not_written_.load(std::memory_order_relaxed)};
}

Result<void> CameraWriting::carry_out(const Attempts::Task& task) {
  auto camera = open_camera(task.target);
  SUBMIX_TRY(camera);
  attempts_.tell_working(task, fmt::format("{} shows the picture again", camera->name()));
  while (!task.stop.stop_requested()) {
    const auto frame = next_frame(task.stop);
    if (frame) SUBMIX_TRY(paint(*frame));
    if (!yuyv_.empty()) SUBMIX_TRY(camera->write(yuyv_));
    if (frame) written_.fetch_add(1, std::memory_order_relaxed);
  }
  return {};
}

Result<LoopbackCamera> CameraWriting::open_camera(const std::string& device) const {
  const auto loopbacks = find_loopbacks(device, find_cameras());
  SUBMIX_TRY(loopbacks);
  auto opened = LoopbackCamera::open(loopbacks->front(), size_, options_.rate);
  for (std::size_t next = 1; !opened && next < loopbacks->size(); ++next)
    opened = LoopbackCamera::open((*loopbacks)[next], size_, options_.rate);
  return opened;
}

std::optional<media::Frame> CameraWriting::next_frame(const std::stop_token& stop) {
  const auto deadline = std::chrono::steady_clock::now() + kRepeated;
  const MutexLock lock(mutex_);
  static_cast<void>(changed_.wait_until(
      mutex_, stop, deadline,
      [this]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS { return latest_.has_value(); }));
  return std::exchange(latest_, std::nullopt);
}

Result<void> CameraWriting::paint(const media::Frame& frame) {
  auto source = media::source_picture(frame);
  source.size = size_;
  source.color_space = AVCOL_SPC_SMPTE170M;  // BT.601
  yuyv_.resize(size_.pixels() * kYuyvPixelBytes);
  return scaler_.convert(source, media::yuyv_target(size_, yuyv_));
}

}  // namespace submix::io
