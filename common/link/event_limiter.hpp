// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/repetition_limiter.hpp"
#include "common/link/timing.hpp"

#include <string>

namespace submix::link {

/// Passes events on, but at most one event of a kind about a subject in kEventPause. A flood of
/// connections or a flapping card must not become a flood of events. Synchronized.
class EventLimiter {
 public:
  EventLimiter(EventSink* sink, const Clock& clock) : sink_(sink), clock_(clock) {}

  /// `kind` is a key for the limiter only, e.g. "refused".
  void report(Severity severity, const std::string& kind, std::string about, std::string text);

 private:
  EventSink* const sink_;
  const Clock& clock_;
  RepetitionLimiter limiter_{kEventPause};
};

}  // namespace submix::link
