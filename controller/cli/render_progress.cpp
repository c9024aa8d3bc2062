// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/render_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace submix::cli {
namespace {

constexpr const char* kMending = "; mend it, or bypass the slot in the file";

double seconds_of(FrameRate rate, std::uint64_t frames) {
  return static_cast<double>(frames) / rate.frames_per_second();
}

}  // namespace

void RenderProgress::take(const telemetry::NodeReading& reading) {
  for (const auto& submix : reading.submixes) {
    for (const auto& slot : submix.stages)
      take_slot(submix.name, slot);
  }
  if (!reading.sound.trouble.empty())
    fail_with(reading.sound.trouble + "; mend it, or take `sound` out of the file");
  for (const auto& stream : reading.streams) {
    if (stream.frames_skipped + stream.frames_duplicated > 0)
      fail_with(fmt::format("stream \"{}\" has left out or repeated a frame", stream.stream));
  }
}

void RenderProgress::take(const cluster::NodeReport& report) {
  for (const auto& submix : report.submixes) {
    if (!submix.error.empty()) fail_with(fmt::format("{}: {}", submix.name, submix.error));
  }
}

// A picture in place of a plugin's own would be in the film for ever.
void RenderProgress::take_slot(const std::string& submix, const telemetry::StageReading& slot) {
  if (show::Port{submix, slot.slot} == record_) return take_recording(slot);
  if (!slot.trouble.empty())
    return fail_with(fmt::format("{}.{}: {}", submix, slot.slot, slot.trouble));
  const auto held = telemetry::counter_of(slot.counters, "held");
  if (held == 0) return;
  fail_with(fmt::format("{}.{}: {} of its pictures are not its own: its plugin crashed or hung{}",
                        submix, slot.slot, held, kMending));
}

// The trouble of a recording that goes on is a warning, such as little room.
void RenderProgress::take_recording(const telemetry::StageReading& slot) {
  frames_ = telemetry::counter_of(slot.counters, "recorded");
  is_complete_ = telemetry::counter_of(slot.counters, "completed") > 0;
  if (telemetry::counter_of(slot.counters, "broken_off") > 0)
    fail_with(slot.trouble.empty() ? "the recording ended by itself" : slot.trouble);
}

void RenderProgress::fail_with(const std::string& why) {
  if (failure_.empty()) failure_ = why;
}

double RenderPace::speed() const {
  return time.count() > 0 ? seconds_of(rate, frames) / time.count() : 0;
}

std::string progress_text(const RenderPace& pace) {
  auto text = fmt::format("frame {} of {} ({} %)", pace.frames, pace.frames_all,
                          pace.frames * 100 / std::max<std::uint64_t>(pace.frames_all, 1));
  const double speed = pace.speed();
  if (speed <= 0) return text;
  const double left = seconds_of(pace.rate, pace.frames_all - pace.frames) / speed;
  const auto seconds = static_cast<std::uint64_t>(std::llround(left));
  return fmt::format("{}, {}, {}:{:02} left", text, speed_text(speed), seconds / 60, seconds % 60);
}

std::string speed_text(double speed) {
  return speed < 10 ? fmt::format("{:.2g} x real time", speed)
                    : fmt::format("{:.0f} x real time", speed);
}

}  // namespace submix::cli
