// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/mutex.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace submix::link {

/// Passes events on, but of one kind about one thing at most one in kEventPause: a flood of strangers, or a
/// flapping card, must not become a flood of events. Synchronized.
class EventLimiter {
 public:
  EventLimiter(EventSink* sink, const Clock& clock) : sink_(sink), clock_(clock) {}

  /// `kind` is a word for the limiter only, e.g. "refused".
  void report(Severity severity, const std::string& kind, std::string about, std::string text)
      SUBMIX_EXCLUDES(mutex_);

 private:
  struct Entry {
    LocalTime last;
    std::uint64_t withheld = 0;
  };

  EventSink* const sink_;
  const Clock& clock_;
  Mutex mutex_;
  std::map<std::string, Entry> entries_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::link
