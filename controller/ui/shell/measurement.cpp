// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/measurement.hpp"

#include "common/base/allocation_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace submix::ui {
namespace {

constexpr std::chrono::seconds kWaiting(4);

double milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

std::string times_json(const FrameTimes& times) {
  const auto figures = times.figures();
  return fmt::format(R"({{"p50": {:.3f}, "p99": {:.3f}, "max": {:.3f}}})",
                     milliseconds(figures.p50), milliseconds(figures.p99),
                     milliseconds(figures.max));
}

}  // namespace

void Measurement::begin(Phase phase, LocalTime now, FrameMeter& meter) {
  phase_ = phase;
  began_ = now;
  meter = {};
  allocations_ = thread_allocation_count();
}

Measurement::Phase Measurement::advance(LocalTime now, FrameMeter& meter) {
  if (!has_begun_) began_ = now;
  has_begun_ = true;
  const auto length = phase_ == Phase::waiting ? kWaiting : length_;
  if (phase_ == Phase::over || now - began_ < length) return phase_;
  if (phase_ != Phase::waiting) {
    auto& result = results_.at(static_cast<std::size_t>(phase_) - 1);
    result.meter = meter;
    result.seconds = std::chrono::duration<double>(now - began_).count();
    result.allocations = thread_allocation_count() - allocations_;
  }
  begin(static_cast<Phase>(static_cast<int>(phase_) + 1), now, meter);
  return phase_;
}

std::string Measurement::json() const {
  constexpr std::array<std::string_view, 4> kNames{"usual", "touched", "fast", "still"};
  std::string text = "{";
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const auto& [meter, seconds, allocations] = results_.at(i);
    const auto frames = meter.frame.figures().count;
    const auto turns = meter.responsiveness.figures();
    text += fmt::format(
        R"({}"{}": {{"seconds": {:.1f}, "frames": {}, "fps": {:.1f}, "frame_ms": {}, "view_ms": {}, "build_ms": {}, )"
        R"("raster_ms": {}, "cpu_ms": {}, "unresponsive_intervals": {}, "unresponsive_p99_in_30_s": {}, "longest_turn_ms": {:.1f}, )"
        R"("allocations_per_frame": {:.1f}}})",
        i == 0 ? "" : ",\n ", kNames.at(i), seconds, frames,
        seconds > 0 ? static_cast<double>(frames) / seconds : 0.0, times_json(meter.frame),
        times_json(meter.view), times_json(meter.build), times_json(meter.raster),
        times_json(meter.cpu), turns.unresponsive_all, turns.unresponsive_p99,
        milliseconds(turns.longest),
        frames > 0 ? static_cast<double>(allocations) / static_cast<double>(frames) : 0.0);
  }
  return text + "}";
}

}  // namespace submix::ui
