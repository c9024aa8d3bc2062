// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/thread_annotations.hpp"

#include <condition_variable>
#include <mutex>

namespace submix {

/// std::mutex with thread-safety annotations, which libstdc++'s own mutex lacks. Synchronized.
class SUBMIX_CAPABILITY("mutex") Mutex {
 public:
  void lock() SUBMIX_ACQUIRE() { mutex_.lock(); }
  void unlock() SUBMIX_RELEASE() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

/// Holds a Mutex for its scope. Confined to the scope.
class SUBMIX_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) SUBMIX_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() SUBMIX_RELEASE() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

/// Waits on a Mutex held by a MutexLock: `while (!ready_) changed_.wait(mutex_);`
using Condition = std::condition_variable_any;

}  // namespace submix
