// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/assert.hpp"
#include "common/base/thread_annotations.hpp"

#include <atomic>
#include <thread>

namespace submix {

/// The right to touch members confined to one thread. The first thread to ask owns it.
///
/// Use      `ThreadRole net_; int fd_ SUBMIX_GUARDED_BY(net_);` and `net_.assert_held();` on entry.
/// Threads  Synchronized.
/// Errors   assert_held() on a second thread is a bug: it aborts.
class SUBMIX_CAPABILITY("role") ThreadRole {
 public:
  void assert_held() const SUBMIX_ASSERT_CAPABILITY(this) {
    auto owner = std::thread::id();
    const auto self = std::this_thread::get_id();
    // Relaxed: the id publishes nothing but itself.
    if (!owner_.compare_exchange_strong(owner, self, std::memory_order_relaxed))
      SUBMIX_ASSERT(owner == self);
  }
  /// Lets another thread become the owner; call it when the owner has ended.
  void release() { owner_.store(std::thread::id(), std::memory_order_relaxed); }

 private:
  mutable std::atomic<std::thread::id> owner_{};
};

}  // namespace submix
