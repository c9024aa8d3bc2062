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

/// Passes a message of one kind at most once in `pause`, with the number of messages withheld
/// since. A flood from outside must not become a flood of events or log lines. Synchronized.
class RepetitionLimiter {
 public:
  explicit RepetitionLimiter(std::chrono::milliseconds pause) : pause_(pause) {}

  /// The message to print now; empty: withheld and counted. Kinds come from peers: after 256 kinds,
  /// all others count as one kind.
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
