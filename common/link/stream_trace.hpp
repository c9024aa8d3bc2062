// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/units.hpp"
#include "common/telemetry/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace submix::link {

/// Writes the events of one stream end's links into the node's trace.
///
/// Threads  Confined (net).
class StreamTrace {
 public:
  /// Null: no trace.
  StreamTrace(telemetry::Trace* trace, std::string name)
      : ring_(trace == nullptr ? nullptr : trace->open(std::move(name))) {}

  void note(telemetry::TraceKind kind, FrameIndex frame, std::size_t link, LocalTime at) {
    if (ring_) ring_->add({at, at, frame.value, kind, static_cast<std::uint32_t>(link)});
  }

 private:
  std::shared_ptr<telemetry::TraceRing> ring_;
};

}  // namespace submix::link
