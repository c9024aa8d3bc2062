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

/// A network card without hardware (TUN). Packets that the kernel sends are read from the
/// descriptor, and written packets are received by the kernel. Whole segments pass, as between the
/// two ends of a veth pair. The card is removed with its descriptor.
///
/// Errors   Not permitted, or no /dev/net/tun.
[[nodiscard]] Result<Descriptor> open_card(const std::string& name);

/// Both ends of a cable and the delay of each packet, in each direction.
struct LongCable {
  Descriptor first;
  Descriptor second;
  std::chrono::nanoseconds delay{0};
  std::size_t bytes_max = 0;  ///< in flight, in one direction
};

/// Carries packets between the cards at the ends of some cables, and delays each by the cable's
/// delay.
///
/// Owner    Its thread, real-time if permitted, so that a cable waits for no core. Thread and cards
///          end with the object.
/// Threads  Compatible.
/// Cost     A packet is copied twice, into this program and out of it. The far side's TCP runs in
///          the second copy.
class LongCables {
 public:
  explicit LongCables(std::vector<LongCable> cables);

 private:
  std::jthread thread_;
};

}  // namespace submix::throughput
