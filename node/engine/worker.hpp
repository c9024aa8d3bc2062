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

/// One of those who do a stage's work: a plugin instance, its owner thread, and the frame that they are at.
///
/// Threads  Confined (its owner thread), but the atomics and shares.totals(): any.
struct Worker {
  Worker(std::size_t its_number, std::unique_ptr<plugin::Plugin> its_plugin, LocalTime now)
      : number(its_number),
        plugin(std::move(its_plugin)),
        shares(plugin::StageState::starved, now) {}

  const std::size_t number;  ///< among the stage's
  std::unique_ptr<plugin::Plugin> plugin;

  // The frame.
  std::uint64_t position = 0;
  std::vector<media::Frame> inputs;
  std::shared_ptr<const Wiring> wiring;  ///< as it is for that frame
  bool is_bypassed = false;
  MovingParameters moving;
  std::optional<std::chrono::nanoseconds> computed;  ///< how long; empty: its plugin made none

  plugin::StageShares shares;
  std::atomic<LocalTime::rep> in_plugin = 0;  ///< since when; 0: it is not. Relaxed: stands alone
  std::atomic<bool> tries_again = false;      ///< relaxed: stands alone
  std::atomic<bool> has_pending = false;      ///< a hint that spares the stage's lock
};

}  // namespace submix::engine
