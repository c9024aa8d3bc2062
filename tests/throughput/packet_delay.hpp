// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>

namespace submix::throughput {

/// One direction of a long cable: each packet leaves a fixed time after it arrived, in order.
///
/// Shape    A ring of fixed size. While it is full it takes no packet, and the packet waits at its
///          source.
/// Threads  Compatible. Time is passed in.
/// Cost     A packet is not copied: it is read into room() and written from front().
class PacketDelay {
 public:
  /// A segment before TCP cuts it into packets, with the kernel's header.
  static constexpr std::size_t kPacketBytesMax = 66'000;

  /// `bytes_max`: at least one packet.
  PacketDelay(std::chrono::nanoseconds delay, std::size_t bytes_max);

  /// Room of kPacketBytesMax bytes for the next packet. Empty: the ring is full.
  [[nodiscard]] std::span<std::uint8_t> room();
  /// The first `bytes` of room() are a packet that arrived now.
  void put(std::size_t bytes, LocalTime now);

  /// When the first packet must leave. Empty: there is no packet.
  [[nodiscard]] std::optional<LocalTime> due() const;
  [[nodiscard]] std::span<const std::uint8_t> front() const;
  void pop() { packets_.pop_front(); }

 private:
  struct Packet {
    std::size_t begin = 0;
    std::size_t bytes = 0;
    LocalTime due;
  };

  [[nodiscard]] std::optional<std::size_t> place() const;

  std::chrono::nanoseconds delay_;
  std::size_t bytes_max_;
  std::unique_ptr<std::uint8_t[]> ring_;
  std::deque<Packet> packets_;
  std::size_t end_ = 0;  // end of the last packet
};

}  // namespace submix::throughput
