// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the bus.

#include "common/base/mutex.hpp"
#include "common/base/repetition_limiter.hpp"

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace submix::cluster {

/// Whether NATS's store answers, according to the newest call to each bucket.
///
/// Threads  Synchronized.
/// Cost     A silence is logged at once, then at most once a minute.
class StoreState {
 public:
  void note_answer(std::string_view bucket) SUBMIX_EXCLUDES(mutex_);
  /// `text` is for the log: where, why and the remedy.
  void note_silence(std::string_view bucket, const std::string& text) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool is_silent() const SUBMIX_EXCLUDES(mutex_);

 private:
  RepetitionLimiter limiter_{std::chrono::minutes(1)};
  mutable Mutex mutex_;
  std::set<std::string, std::less<>> silent_buckets_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::cluster
