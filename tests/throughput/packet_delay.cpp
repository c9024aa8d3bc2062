// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/packet_delay.hpp"

#include "common/base/assert.hpp"

namespace submix::throughput {

PacketDelay::PacketDelay(std::chrono::nanoseconds delay, std::size_t bytes_max)
    : delay_(delay),
      bytes_max_(bytes_max),
      ring_(std::make_unique_for_overwrite<std::uint8_t[]>(bytes_max)) {
  SUBMIX_ASSERT(bytes_max >= kPacketBytesMax);
}

// A packet lies in one piece, so the bytes before the ring's end may stay unused.
std::optional<std::size_t> PacketDelay::place() const {
  if (packets_.empty()) return 0;
  const auto first = packets_.front().begin;
  if (end_ <= first) return end_ + kPacketBytesMax <= first ? std::optional(end_) : std::nullopt;
  if (end_ + kPacketBytesMax <= bytes_max_) return end_;
  return kPacketBytesMax <= first ? std::optional<std::size_t>(0) : std::nullopt;
}

std::span<std::uint8_t> PacketDelay::room() {
  const auto begin = place();
  if (!begin) return {};
  return {ring_.get() + *begin, kPacketBytesMax};
}

void PacketDelay::put(std::size_t bytes, LocalTime now) {
  const auto begin = place();
  SUBMIX_ASSERT(begin && bytes <= kPacketBytesMax);
  packets_.push_back(
      {*begin, bytes, now + std::chrono::duration_cast<LocalTime::duration>(delay_)});
  end_ = *begin + bytes;
}

std::optional<LocalTime> PacketDelay::due() const {
  if (packets_.empty()) return std::nullopt;
  return packets_.front().due;
}

std::span<const std::uint8_t> PacketDelay::front() const {
  return {ring_.get() + packets_.front().begin, packets_.front().bytes};
}

}  // namespace submix::throughput
