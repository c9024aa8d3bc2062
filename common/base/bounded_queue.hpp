// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/assert.hpp"
#include "common/base/mutex.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace submix {

/// First in, first out, at most `capacity` items. On a full queue push() waits and try_push()
/// returns false.
///
/// Threads  Synchronized; any number of producers and consumers.
/// Cost     One lock for each call. Only the constructor allocates.
/// Errors   After close(), pushes are refused. Items inside can still be popped; then pops are
///          empty.
template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : items_(capacity) { SUBMIX_ASSERT(capacity > 0); }

  /// Waits for room. Returns false and drops `item` once the queue is closed.
  [[nodiscard]] bool push(T item) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (count_ == items_.size() && !closed_)
      room_.wait(mutex_);
    return put(std::move(item));
  }
  /// Never waits. Returns false and leaves `item` untouched when the queue is full or closed.
  [[nodiscard]] bool try_push(T&& item) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return count_ < items_.size() && put(std::move(item));
  }
  /// Waits for an item. Empty once the queue is closed and drained.
  [[nodiscard]] std::optional<T> pop() SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (count_ == 0 && !closed_)
      filled_.wait(mutex_);
    return take();
  }
  /// Waits for an item or for other news. Calls `is_other_news()` under the lock, first on entry
  /// and again after each nudge(). Empty on other news.
  template <typename IsOtherNews>
  [[nodiscard]] std::optional<T> pop_unless(IsOtherNews is_other_news) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (count_ == 0 && !closed_ && !is_other_news())
      filled_.wait(mutex_);
    return take();
  }
  /// Makes waiting callers of pop_unless() check for other news again.
  void nudge() SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    filled_.notify_all();
  }
  /// Waits for an item, at most `patience`.
  [[nodiscard]] std::optional<T> pop_for(std::chrono::nanoseconds patience)
      SUBMIX_EXCLUDES(mutex_) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    MutexLock lock(mutex_);
    while (count_ == 0 && !closed_) {
      if (filled_.wait_until(mutex_, deadline) == std::cv_status::timeout) break;
    }
    return take();
  }
  [[nodiscard]] std::optional<T> try_pop() SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return take();
  }
  void close() SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    closed_ = true;
    room_.notify_all();
    filled_.notify_all();
  }
  [[nodiscard]] bool is_closed() const SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return closed_;
  }
  [[nodiscard]] std::size_t size() const SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return count_;
  }
  /// Items since the queue was constructed.
  struct Counts {
    std::uint64_t put = 0;
    std::uint64_t taken = 0;
  };
  /// Calls `look(item)` for each item, the oldest first. The call holds the lock, so `look` must be
  /// as short as an exchange of pointers. The counts are of the same moment.
  template <typename Look>
  Counts look_through(Look look) const SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    for (std::size_t i = 0; i < count_; ++i)
      look(*items_[(first_ + i) % items_.size()]);
    return {put_, taken_};
  }
  [[nodiscard]] std::size_t capacity() const { return items_.size(); }

 private:
  bool put(T&& item) SUBMIX_REQUIRES(mutex_) {
    if (closed_) return false;
    items_[(first_ + count_) % items_.size()] = std::move(item);
    ++count_;
    ++put_;
    filled_.notify_one();
    return true;
  }
  std::optional<T> take() SUBMIX_REQUIRES(mutex_) {
    if (count_ == 0) return std::nullopt;
    std::optional<T> item = std::exchange(items_[first_], std::nullopt);
    first_ = (first_ + 1) % items_.size();
    --count_;
    ++taken_;
    room_.notify_one();
    return item;
  }

  mutable Mutex mutex_;
  Condition room_;
  Condition filled_;
  std::vector<std::optional<T>> items_;  // a ring of constant size
  std::size_t first_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::size_t count_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::uint64_t put_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::uint64_t taken_ SUBMIX_GUARDED_BY(mutex_) = 0;
  bool closed_ SUBMIX_GUARDED_BY(mutex_) = false;
};

}  // namespace submix
