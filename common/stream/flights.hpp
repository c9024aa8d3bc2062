// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/units.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace submix::stream {

/// A stripe that a link has been given and that TCP has not acknowledged yet.
struct Flight {
  FrameIndex frame;
  std::size_t first_cell = 0;
  std::size_t cells = 0;
  std::uint64_t end_bytes = 0;  ///< total bytes given to the link up to the end of this stripe
  LocalTime due{};             ///< the stripe is late after this time, plus the link's held_up time
  bool is_taken_over = false;  ///< no other link takes it over any more
};

/// One link's stripes in flight, in sending order. A ring of fixed size.
///
/// Threads  Compatible.
class Flights {
 public:
  explicit Flights(std::size_t capacity) : ring_(capacity) {}

  /// Adds the newest stripe. A full ring forgets its oldest stripe: no other link will take that
  /// stripe over, but it still arrives.
  void add(const Flight& flight);
  /// Removes each stripe that ends at or before `end_bytes`: these have arrived.
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
  std::size_t first_ = 0;  // counters, never reset to the ring's size
  std::size_t end_ = 0;
};

}  // namespace submix::stream
