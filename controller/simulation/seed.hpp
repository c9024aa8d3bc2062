// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

/// Numbers that look arbitrary and are the same for the same seed, on every machine.
namespace submix::simulation {

/// Spreads a number over all 64 bits.
/// Source   SplitMix64, Steele, Lea and Flood 2014.
[[nodiscard]] constexpr std::uint64_t spread(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15U;
  number = (number ^ (number >> 30U)) * 0xbf58476d1ce4e5b9U;
  number = (number ^ (number >> 27U)) * 0x94d049bb133111ebU;
  return number ^ (number >> 31U);
}

[[nodiscard]] constexpr std::uint64_t spread(std::uint64_t seed, std::string_view text) {
  for (const char letter : text)
    seed = spread(seed ^ static_cast<unsigned char>(letter));
  return seed;
}

/// A number from 0 to 1, excluding 1.
[[nodiscard]] constexpr double fraction(std::uint64_t number) {
  return static_cast<double>(number >> 11U) / 9007199254740992.0;  // 2^53
}

}  // namespace submix::simulation
