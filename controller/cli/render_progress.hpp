// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/readings.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace submix::cli {

/// How far a film is, by what its node tells. A state machine without a clock.
class RenderProgress {
 public:
  /// `record`: the slot that records.
  explicit RenderProgress(show::Port record) : record_(std::move(record)) {}

  void take(const telemetry::NodeReading& reading);
  void take(const cluster::NodeReport& report);

  [[nodiscard]] std::uint64_t frames() const { return frames_; }
  /// The file has all frames, and its end is written.
  [[nodiscard]] bool is_complete() const { return is_complete_; }
  /// Why the film would not show what the show does; the first reason found. Empty: it does.
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  void take_slot(const std::string& submix, const telemetry::StageReading& slot);
  void take_recording(const telemetry::StageReading& slot);
  void fail_with(const std::string& why);

  const show::Port record_;
  std::uint64_t frames_ = 0;
  bool is_complete_ = false;
  std::string failure_;
};

/// The size of a film in frames and its speed.
struct RenderPace {
  std::uint64_t frames = 0;  ///< made so far
  std::uint64_t frames_all = 0;
  FrameRate rate{};
  std::chrono::duration<double> time{
      0};  ///< since the show was applied, the start of its plugins included

  /// Seconds of the film for each second of work; 0: not known yet.
  [[nodiscard]] double speed() const;
};

/// "frame 120 of 300 (40 %), 3.2 x real time, 0:02 left"
[[nodiscard]] std::string progress_text(const RenderPace& pace);
/// "3.2 x real time", "120 x real time"
[[nodiscard]] std::string speed_text(double speed);

}  // namespace submix::cli
