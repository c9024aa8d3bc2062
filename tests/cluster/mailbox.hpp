// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/bounded_queue.hpp"

#include <chrono>
#include <optional>

namespace submix::cluster {

/// Items that callbacks on other threads have put in, for a test to wait for. Synchronized.
template <typename T>
class Mailbox {
 public:
  void put(T item) { static_cast<void>(items_.push(std::move(item))); }
  [[nodiscard]] std::optional<T> next() { return items_.pop_for(std::chrono::seconds(10)); }
  /// Takes items until `wanted` returns true. Empty: 10 s passed without such an item.
  template <typename Wanted>
  [[nodiscard]] std::optional<T> next_that(Wanted wanted) {
    while (auto item = next()) {
      if (wanted(*item)) return item;
    }
    return std::nullopt;
  }

 private:
  BoundedQueue<T> items_{1024};
};

}  // namespace submix::cluster
