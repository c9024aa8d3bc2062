// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace submix {

/// Says the same kind of thing at most once in a while, and then how often it was withheld: a flood from
/// outside must not become a flood of events or of lines in a log. Synchronized.
class RepetitionLimiter {
 public:
  explicit RepetitionLimiter(std::chrono::milliseconds pause) : pause_(pause) {}

  /// What is to be said now; empty: nothing, it is counted. Kinds come from peers: beyond 256, all others are
  /// one.
  [[nodiscard]] std::optional<std::string> admit(std::string kind, std::string text, LocalTime now)
      SUBMIX_EXCLUDES(mutex_);

 private:
  struct Entry {
    LocalTime last;
    std::uint64_t withheld = 0;
  };

  const std::chrono::milliseconds pause_;
  Mutex mutex_;
  std::map<std::string, Entry> entries_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix
