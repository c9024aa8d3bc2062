// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/base/mutex.hpp"

#include <string>
#include <vector>

namespace submix::testing {

/// Keeps every reported event as a line, such as "left.fx: text". Synchronized.
class EventLog final : public EventSink {
 public:
  void report(Severity, std::string about, std::string text) override {
    const MutexLock lock(mutex_);
    lines_.push_back(std::move(about) + ": " + std::move(text));
  }
  [[nodiscard]] std::vector<std::string> lines() const {
    const MutexLock lock(mutex_);
    return lines_;
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::string> lines_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::testing
