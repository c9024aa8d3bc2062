// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/units.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace submix::stream {

/// A stripe that a link has and that TCP has not yet had acknowledged.
struct Flight {
  FrameIndex frame;
  std::size_t first_cell = 0;
  std::size_t cells = 0;
  std::uint64_t end_bytes = 0;  ///< what the link had been given with it, since it opened
  LocalTime
      due;  ///< later than this, the link is late with it; less what its sender was held up before
  bool is_taken_over = false;
};

/// The flights of one link in the order of their sending: a ring of fixed size. Compatible.
class Flights {
 public:
  explicit Flights(std::size_t capacity) : ring_(capacity) {}

  /// When it is full, the oldest is forgotten: nobody takes it over then, but it arrives all the same.
  void add(const Flight& flight);
  /// All that ends at or before `end_bytes` has arrived.
  void land_until(std::uint64_t end_bytes);
  void clear() { first_ = end_; }

  [[nodiscard]] bool is_empty() const { return first_ == end_; }
  [[nodiscard]] std::size_t size() const { return end_ - first_; }
  [[nodiscard]] Flight& at(std::size_t position) {
    return ring_[(first_ + position) % ring_.size()];
  }
  [[nodiscard]] const Flight& oldest() const { return ring_[first_ % ring_.size()]; }

 private:
  std::vector<Flight> ring_;
  std::size_t first_ = 0;  // both count on for ever
  std::size_t end_ = 0;
};

}  // namespace submix::stream
