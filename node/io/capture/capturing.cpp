// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/capture/capturing.hpp"

#include "common/media/frame.hpp"
#include "node/io/capture/live_input.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace submix::io {

using std::chrono::steady_clock;
using std::chrono::system_clock;

namespace {

// A driver that does not tell its rate counts time from the computer's start.
system_clock::time_point time_taken(const AVFrame& picture) {
  constexpr std::chrono::seconds kAgeMax{10};
  const auto now = system_clock::now();
  if (picture.pts <= 0) return now;
  const auto age = now.time_since_epoch() - std::chrono::microseconds(picture.pts);
  return age >= std::chrono::seconds(0) && age < kAgeMax ? now - age : now;
}

}  // namespace

Capturing::Capturing(Options options)
    : options_(std::move(options)),
      painted_(options_.size.pixels() * media::kBytesPerRgbaPixel),
      attempts_({.thread = "capture",
                 .about = options_.about,
                 .consequence = "the layer is empty until then",
                 .events = options_.events},
                [this](const Attempts::Task& task) { return carry_out(task); }) {}

std::optional<system_clock::time_point> Capturing::copy_latest(std::span<std::uint8_t> rgba) const {
  const MutexLock lock(mutex_);
  if (latest_.rgba.empty() || steady_clock::now() > latest_.came + kHeld) return std::nullopt;
  std::ranges::copy(latest_.rgba, rgba.begin());
  return latest_.taken;
}

bool Capturing::wait(steady_clock::time_point deadline, const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  return changed_.wait_until(mutex_, stop, deadline, [this]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS {
    return !latest_.rgba.empty();
  });
}

Result<void> Capturing::carry_out(const Attempts::Task& task) {
  const auto device = find_capture(
      {.device = task.target, .size = options_.size, .rate = options_.rate}, find_cameras());
  SUBMIX_TRY(device);
  auto input = LiveInput::open(*device, task.stop);
  SUBMIX_TRY(input);
  PicturePainter painter(options_.size, Fit::letterbox);  // until its first picture
  for (bool is_first = true;; is_first = false) {
    const auto picture = input->next();
    SUBMIX_TRY(picture);
    if (!*picture) return {};
    painter.set_fit(fit_.load(std::memory_order_relaxed));
    SUBMIX_TRY(painter.paint(**picture, painted_));
    if (is_first) attempts_.tell_working(task, fmt::format("captures {} again", device->name));
    publish(time_taken(**picture));
  }
}

void Capturing::publish(system_clock::time_point taken) {
  captured_.fetch_add(1, std::memory_order_relaxed);
  const MutexLock lock(mutex_);
  latest_.rgba.resize(painted_.size());  // at the first picture
  std::swap(latest_.rgba, painted_);
  latest_.taken = taken;
  latest_.came = steady_clock::now();
  changed_.notify_all();
}

}  // namespace submix::io
