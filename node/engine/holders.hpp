// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

namespace submix::engine {

/// Hands out the marks with which the stages of a patch sign the frames they hold: a bit for each
/// stage, 64 at most. Instruments read the marks from the pools.
class Holders {
 public:
  /// A free mark; 0: all are taken. The mark given back last is avoided, since some frames may
  /// still bear it.
  [[nodiscard]] std::uint64_t take() {
    auto taken = taken_.load(std::memory_order_relaxed);
    for (;;) {
      const auto free = ~taken;
      if (free == 0) return 0;
      const int first = last_.load(std::memory_order_relaxed);
      const auto bit = std::uint64_t{1}
                       << ((std::countr_zero(std::rotr(free, first)) + first) % 64);
      if (!taken_.compare_exchange_weak(taken, taken | bit, std::memory_order_relaxed)) continue;
      last_.store((std::countr_zero(bit) + 1) % 64, std::memory_order_relaxed);
      return bit;
    }
  }
  void give_back(std::uint64_t mark) { taken_.fetch_and(~mark, std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> taken_ = 0;
  std::atomic<int> last_ = 0;  // bit at which the search starts
};

/// The mark of a stage, for the stage's life. Confined to the stage; `holders` outlives it.
class Holder {
 public:
  explicit Holder(Holders& holders) : holders_(holders), mark_(holders.take()) {}
  ~Holder() { holders_.give_back(mark_); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  [[nodiscard]] std::uint64_t mark() const { return mark_; }

 private:
  Holders& holders_;
  const std::uint64_t mark_;
};

}  // namespace submix::engine
