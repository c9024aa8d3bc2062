// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/flights.hpp"

namespace submix::stream {

void Flights::add(const Flight& flight) {
  if (size() == ring_.size()) ++first_;
  ring_[end_ % ring_.size()] = flight;
  ++end_;
}

void Flights::land_until(std::uint64_t end_bytes) {
  while (!is_empty() && oldest().end_bytes <= end_bytes)
    ++first_;
}

}  // namespace submix::stream
