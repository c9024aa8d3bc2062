// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/network/receiving.hpp"

#include "common/base/stoppable_sleep.hpp"
#include "common/media/frame.hpp"
#include "node/io/network/network_input.hpp"
#include "node/io/network/stream_clock.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace submix::io {
namespace {

constexpr std::size_t kPicturesMin = 2;
constexpr std::size_t kPicturesMax = 256;

std::size_t bytes_of(Size size) {
  return size.pixels() * media::kBytesPerRgbaPixel;
}

}  // namespace

Receiving::Receiving(Size size)
    : size_(size),
      pictures_(std::clamp(kWaitingBytesMax / bytes_of(size), kPicturesMin, kPicturesMax)),
      attempts_({.thread = "network", .about = {}, .consequence = "the layer is empty until then"},
                [this](const Attempts::Task& task) { return carry_out(task); }) {}

std::optional<Receiving::Time> Receiving::copy_due(Time now, std::span<std::uint8_t> rgba) {
  const MutexLock lock(mutex_);
  const auto* picture = pictures_.take(now);
  if (picture == nullptr) return std::nullopt;
  std::ranges::copy(picture->rgba, rgba.begin());
  return picture->came;
}

JitterBuffer::Counts Receiving::counts() const {
  const MutexLock lock(mutex_);
  return pictures_.counts();
}

Result<void> Receiving::carry_out(const Attempts::Task& task) {
  auto input = NetworkInput::open(task.target, task.stop);
  SUBMIX_TRY(input);
  StreamClock clock(input->pace());
  PicturePainter painter(size_, Fit::letterbox);  // until its first picture
  for (bool is_first = true;; is_first = false) {
    const auto picture = input->next();
    SUBMIX_TRY(picture);
    if (picture->frame == nullptr) return {};
    const auto moment = clock.moment(picture->stamp, picture->came);
    // A file is read no faster than it is shown.
    if (input->pace() == StreamClock::Pace::reader) sleep_until(moment, task.stop);
    auto rgba = take_memory();
    rgba.resize(bytes_of(size_));
    painter.set_fit(fit_.load(std::memory_order_relaxed));
    SUBMIX_TRY(painter.paint(*picture->frame, rgba));
    if (is_first) attempts_.tell_working(task, {});
    put({std::move(rgba), moment + buffer_.load(std::memory_order_relaxed), picture->came});
  }
}

JitterBuffer::Pixels Receiving::take_memory() {
  const MutexLock lock(mutex_);
  return pictures_.take_memory();
}

void Receiving::put(JitterBuffer::Picture picture) {
  const MutexLock lock(mutex_);
  pictures_.put(std::move(picture));
}

}  // namespace submix::io
