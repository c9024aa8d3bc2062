// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/media/frame.hpp"
#include "node/engine/modulation.hpp"
#include "node/engine/wiring.hpp"
#include "node/plugin/plugin.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace submix::engine {

/// A worker of a stage: a plugin instance, its owner thread, and its current frame.
///
/// Threads  Confined (its owner thread), except the atomics and shares.totals(): any.
struct Worker {
  Worker(std::size_t its_number, std::unique_ptr<plugin::Plugin> its_plugin, LocalTime now)
      : number(its_number),
        plugin(std::move(its_plugin)),
        shares(plugin::StageState::starved, now) {}

  const std::size_t number;  ///< index within the stage
  std::unique_ptr<plugin::Plugin> plugin;

  // The current frame.
  std::uint64_t position = 0;
  std::vector<media::Frame> inputs;
  std::shared_ptr<const Wiring> wiring;  ///< at this frame
  bool is_bypassed = false;
  bool is_paced_by_plugin = false;  ///< a terminal slot: its plugin waits, not the show's time
  MovingParameters moving;
  /// computing time; empty: the plugin made no frame
  std::optional<std::chrono::nanoseconds> computed;

  plugin::StageShares shares;
  /// when the running plugin call began; 0: none runs. Relaxed: stands alone
  std::atomic<LocalTime::rep> in_plugin = 0;
};

}  // namespace submix::engine
