// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/frame_pacer.hpp"

#include <algorithm>

namespace submix::ui {
namespace {

constexpr int kSmoothing = 8;  // frames: one interrupted frame is no reason to draw more slowly

}  // namespace

void FramePacer::begin_frame(LocalTime now) {
  begun_ = now;
  const auto shortest = frame_time_ * 3 / 2;
  const auto period = std::max<std::chrono::nanoseconds>(kFramePeriod, shortest);
  due_ += period;
  if (now - due_ > kDebtMax) due_ = now + period;
  next_ = std::max<LocalTime>(due_,
                              now + std::max<std::chrono::nanoseconds>(kFramePeriod / 2, shortest));
}

void FramePacer::begin_frame(LocalTime now, LocalTime next) {
  begun_ = now;
  next_ = due_ = next;
}

void FramePacer::took(std::chrono::nanoseconds length) {
  frame_time_ += (length - frame_time_) / kSmoothing;
}

void FramePacer::hurry(LocalTime now) {
  const auto period = std::max<std::chrono::nanoseconds>(kFramePeriod, frame_time_ * 3 / 2);
  const auto soon = std::max<LocalTime>(now, begun_ + period);
  if (next_ > soon) next_ = due_ = soon;
}

}  // namespace submix::ui
