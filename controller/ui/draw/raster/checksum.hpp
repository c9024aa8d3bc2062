// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>

namespace submix::ui::raster {

/// 64-bit checksum of a tile's content. Different contents practically never have the same sum.
///
/// Source   Multiply and fold, with SplitMix64's constants (Steele, Lea and Flood 2014).
class TileChecksum {
 public:
  explicit TileChecksum(std::uint64_t seed = 0) : value_(seed + 0x9E3779B97F4A7C15) {}

  void add(std::uint64_t word) {
    value_ = (value_ ^ word) * 0xBF58476D1CE4E5B9;
    value_ ^= value_ >> 29;
  }
  void add(int a, int b) {
    add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 |
        static_cast<std::uint32_t>(b));
  }
  void add(float a, float b) { add(std::bit_cast<int>(a), std::bit_cast<int>(b)); }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_;
};

}  // namespace submix::ui::raster
