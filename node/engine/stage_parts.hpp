// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/units.hpp"
#include "common/telemetry/trace.hpp"
#include "node/engine/credits.hpp"
#include "node/engine/governor.hpp"
#include "node/engine/holders.hpp"
#include "node/plugin/plugin.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace submix::engine {

/// What the stages of one patch share; outlives them.
struct StageContext {
  std::string submix;
  FrameRate rate;
  std::uint64_t epoch = 0;
  Credits& credits;
  Governor& governor;
  EventSink& events;
  const Clock& clock;
  Holders& holders;
  telemetry::Trace* trace = nullptr;
};

/// What makes a stage this one, for its life.
struct StageParts {
  std::string slot;
  const plugin::Description* description = nullptr;
  std::vector<std::unique_ptr<plugin::Plugin>> plugins =
      {};  ///< several: of a plugin that keeps no state
  bool is_bypassed = false;

  /// Of the first instance, with the frames that all instances retain.
  [[nodiscard]] plugin::PluginTraits traits() const;
};

}  // namespace submix::engine
