// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace submix {

/// One value, replaced as a whole. Readers get the newest value and never wait for a writer's work.
template <typename T>
class LatestValue {
 public:
  /// Publishes `value`. A former value that nobody has read is lost.
  void store(T value) SUBMIX_EXCLUDES(mutex_) {
    auto fresh = std::make_shared<const T>(std::move(value));
    MutexLock lock(mutex_);
    value_.swap(fresh);
    ++version_;
  }
  /// The newest value; null before the first store().
  [[nodiscard]] std::shared_ptr<const T> load() const SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return value_;
  }
  /// The number of store() calls so far.
  [[nodiscard]] std::uint64_t version() const SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return version_;
  }

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const T> value_ SUBMIX_GUARDED_BY(mutex_);
  std::uint64_t version_ SUBMIX_GUARDED_BY(mutex_) = 0;
};

}  // namespace submix
