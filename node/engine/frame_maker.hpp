// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/frame.hpp"
#include "node/engine/stage_control.hpp"
#include "node/engine/stage_parts.hpp"
#include "node/engine/tap.hpp"
#include "node/engine/transport.hpp"
#include "node/engine/worker.hpp"
#include "node/plugin/plugin.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

namespace submix::engine {

/// Makes a stage's frames: calls the plugin, or replaces its frame if the slot is bypassed, the
/// plugin fails, or the stage is hurried.
///
/// Threads  make(): the stage's workers, side by side. frames_passed_by(): any thread.
/// Cost     Allocates nothing; no lock but the plugin's and the pool's.
class FrameMaker {
 public:
  /// All arguments outlive the object.
  FrameMaker(const StageContext& context, const std::string& slot, const StageControl& control,
             const Tap& tap);

  /// Sets the stage's first frame, before make().
  void begin_at(std::uint64_t position) { first_ = position; }
  /// Makes a frame of the worker's inputs and notes the computing time. Empty: the patch ends.
  [[nodiscard]] std::optional<media::Frame> make(Worker& worker, const std::stop_token& stop);
  /// Frames so far that the plugin did not make.
  [[nodiscard]] std::uint64_t frames_passed_by() const {
    return frames_passed_by_.load(std::memory_order_relaxed);
  }

 private:
  [[nodiscard]] plugin::Work next_work(Worker& worker, const std::stop_token& stop);
  [[nodiscard]] bool is_after_pause();
  [[nodiscard]] std::optional<media::Frame> call_plugin(Worker& worker, plugin::Work& work);
  [[nodiscard]] std::optional<media::Frame> pass_input_on(plugin::Work& work);
  [[nodiscard]] std::optional<media::Frame> repeat_last_frame(plugin::Work& work);
  void report_missing_frame();

  const StageContext& context_;
  const std::string& slot_;
  const StageControl& control_;
  const Tap& tap_;
  std::uint64_t first_ = 0;
  Transport::State transport_seen_;                  // at the last frame with a display's pace
  std::atomic<std::uint64_t> frames_passed_by_ = 0;  // relaxed: stands alone
  std::atomic<bool> has_complained_ = false;         // relaxed: stands alone
};

}  // namespace submix::engine
