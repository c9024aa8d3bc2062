// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/units.hpp"
#include "common/telemetry/trace.hpp"
#include "node/engine/credits.hpp"
#include "node/engine/flight_times.hpp"
#include "node/engine/governor.hpp"
#include "node/engine/holders.hpp"
#include "node/engine/show_count.hpp"
#include "node/engine/sound_source.hpp"
#include "node/plugin/plugin.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace submix::engine {

/// Shared by all stages of a patch; outlives them.
struct StageContext {
  std::string submix;
  FrameRate rate;
  std::uint64_t epoch = 0;
  Credits& credits;
  Governor& governor;
  EventSink& events;
  const Clock& clock;
  Holders& holders;
  FlightTimes& flights;
  ShowCount& count;
  telemetry::Trace* trace = nullptr;
  const SoundSource* sound = nullptr;  ///< null: silence
};

/// The parts of a new stage.
struct StageParts {
  std::string slot;
  const plugin::Description* description = nullptr;
  /// more than a single instance only for a plugin without state
  std::vector<std::unique_ptr<plugin::Plugin>> plugins = {};
  bool is_bypassed = false;

  /// Those of the first instance, with the frames that all instances retain.
  [[nodiscard]] plugin::PluginTraits traits() const;
};

}  // namespace submix::engine
