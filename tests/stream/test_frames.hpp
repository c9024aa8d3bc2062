// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/media/frame_pool.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace submix::testing {

/// What frame `index` has at `byte` of its RGBA, whatever its format: known from the two alone, and different
/// nearly everywhere.
inline std::uint8_t pattern_byte(std::uint64_t index, std::size_t byte) {
  if (byte % 4 == 3) return 255;
  const auto mixed = (index * 0x9e3779b97f4a7c15ULL) ^ (byte * 0xbf58476d1ce4e5b9ULL);
  return static_cast<std::uint8_t>(mixed >> 56);
}

/// Which byte of the same pixels as RGBA is `byte` of a frame.
inline std::size_t rgba_byte(media::PixelFormat format, std::size_t byte) {
  return format == media::PixelFormat::rgba ? byte : byte / 3 * 4 + byte % 3;
}

inline void fill_pattern(media::WritableFrame& frame, std::uint64_t index) {
  std::size_t byte = 0;
  for (auto& value : frame.pixels())
    value = pattern_byte(index, rgba_byte(frame.format(), byte++));
}

[[nodiscard]] inline bool has_pattern(const media::Frame& frame, std::uint64_t index) {
  std::size_t byte = 0;
  for (const auto value : frame.pixels()) {
    if (value != pattern_byte(index, rgba_byte(frame.format(), byte++))) return false;
  }
  return true;
}

/// The frame `index` from `pool`, with pattern and pts; empty when the pool is.
[[nodiscard]] inline std::optional<media::Frame> pattern_frame(media::FramePool& pool, std::uint64_t index) {
  auto writable = pool.try_acquire();
  if (!writable) return std::nullopt;
  fill_pattern(*writable, index);
  writable->stamp().index = FrameIndex{index};
  writable->stamp().pts = std::chrono::milliseconds(index * 40);
  return std::move(*writable).publish();
}

}  // namespace submix::testing
