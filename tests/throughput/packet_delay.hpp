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

/// One direction of a long cable: each packet comes out a fixed time after it went in, in order.
///
/// Shape    A ring of fixed size; while it is full nothing goes in, and waits where it is.
/// Threads  Compatible. Time is passed in.
/// Cost     A packet is not copied: it is read into room() and written from front().
class PacketDelay {
 public:
  /// A segment as TCP hands it down, before it is cut into packets, and the kernel's word about it.
  static constexpr std::size_t kPacketBytesMax = 66'000;

  /// `bytes_max`: at least one packet's.
  PacketDelay(std::chrono::nanoseconds delay, std::size_t bytes_max);

  /// Where the next packet is to be read to, kPacketBytesMax; empty: it is full.
  [[nodiscard]] std::span<std::uint8_t> room();
  /// The first `bytes` of room() are a packet that came now.
  void put(std::size_t bytes, LocalTime now);

  /// When the first packet is to go on; empty: there is none.
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
  std::size_t end_ = 0;  // of the last one
};

}  // namespace submix::throughput
