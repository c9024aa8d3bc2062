// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

namespace submix::throughput {

/// A card that is no hardware: what the kernel sends over it is read from the descriptor, and what is written
/// there it receives (TUN). Whole segments pass, as between the two ends of a veth pair. The card goes with
/// its descriptor.
///
/// Errors   Not permitted, or no /dev/net/tun: says so.
[[nodiscard]] Result<Descriptor> open_card(const std::string& name);

/// Both ends of a cable, and how long each packet is on its way, in each direction.
struct LongCable {
  Descriptor first;
  Descriptor second;
  std::chrono::nanoseconds delay{0};
  std::size_t bytes_max = 0;  ///< on the way, of one direction
};

/// Carries packets between the cards at the ends of some cables, and holds each for the cable's delay.
///
/// Owner    Its thread, real-time where permitted: a cable waits for no core. It ends with the object, and so
///          do the cards.
/// Threads  Compatible.
/// Cost     A packet is copied twice, into this program and out of it; the far side's TCP runs in the latter.
class LongCables {
 public:
  explicit LongCables(std::vector<LongCable> cables);

 private:
  std::jthread thread_;
};

}  // namespace submix::throughput
