// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/media/borrowed_frames.hpp"
#include "common/media/frame.hpp"
#include "common/media/frame_pool.hpp"
#include "common/media/shared_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace submix::testing {

/// The byte at `byte` of frame `index` as RGBA, whatever the frame's format. It depends on these
/// two values alone and differs nearly everywhere.
inline std::uint8_t pattern_byte(std::uint64_t index, std::size_t byte) {
  if (byte % 4 == 3) return 255;
  const auto mixed = (index * 0x9e3779b97f4a7c15ULL) ^ (byte * 0xbf58476d1ce4e5b9ULL);
  return static_cast<std::uint8_t>(mixed >> 56);
}

/// The index in RGBA of byte `byte` of a frame.
inline std::size_t rgba_byte(media::PixelFormat format, std::size_t byte) {
  return format == media::PixelFormat::rgba ? byte : byte / 3 * 4 + byte % 3;
}

namespace detail {

using Word = std::uint64_t;

/// The pattern of frame 0: `bytes` of it and a few more.
inline const std::vector<Word>& first_pattern(media::PixelFormat format, std::size_t bytes) {
  thread_local std::array<std::vector<Word>, 2> kept;
  auto& words = kept.at(format == media::PixelFormat::rgba ? 0 : 1);
  if (words.size() * sizeof(Word) >= bytes) return words;
  words.resize((bytes + sizeof(Word) - 1) / sizeof(Word));
  auto* const values = reinterpret_cast<std::uint8_t*>(words.data());
  for (std::size_t byte = 0; byte < words.size() * sizeof(Word); ++byte)
    values[byte] = pattern_byte(0, rgba_byte(format, byte));
  return words;
}

}  // namespace detail

/// pattern_byte() of all bytes, and some after them, fast even with sanitizers: the index changes
/// the same bits of all bytes but alpha. Valid until the thread's next call.
inline const std::uint8_t* pattern_of(media::PixelFormat format, std::size_t bytes,
                                      std::uint64_t index) {
  const auto& first = detail::first_pattern(format, bytes);
  thread_local std::vector<detail::Word> words;
  words.resize(std::max(words.size(), first.size()));
  static_assert(std::endian::native == std::endian::little);  // alpha is the last byte of a pixel
  const auto has_alpha = format == media::PixelFormat::rgba;
  const detail::Word colours = has_alpha ? 0x0001010100010101ULL : 0x0101010101010101ULL;
  const detail::Word change =
      colours * static_cast<std::uint8_t>(pattern_byte(index, 0) ^ pattern_byte(0, 0));
  for (std::size_t i = 0; i * sizeof(detail::Word) < bytes; ++i)
    words[i] = first[i] ^ change;
  return reinterpret_cast<const std::uint8_t*>(words.data());
}

inline void fill_pattern(media::WritableFrame& frame, std::uint64_t index) {
  const auto pixels = frame.pixels();
  std::memcpy(pixels.data(), pattern_of(frame.format(), pixels.size(), index), pixels.size());
}

[[nodiscard]] inline bool has_pattern(const media::Frame& frame, std::uint64_t index) {
  const auto pixels = frame.pixels();
  return std::memcmp(pixels.data(), pattern_of(frame.format(), pixels.size(), index),
                     pixels.size()) == 0;
}

/// Frame `index` from `pool`, with pattern and pts. Empty if the pool is empty.
[[nodiscard]] inline std::optional<media::Frame> pattern_frame(media::FramePool& pool,
                                                               std::uint64_t index) {
  auto writable = pool.try_acquire();
  if (!writable) return std::nullopt;
  fill_pattern(*writable, index);
  writable->stamp().index = FrameIndex{index};
  writable->stamp().pts = std::chrono::milliseconds(index * 40);
  return std::move(*writable).publish();
}

/// The same in another owner's memory, like a frame that arrives as a whole.
[[nodiscard]] inline media::Frame borrowed_frame(Size size, std::uint64_t index) {
  struct Lender final : media::FrameLender {
    void take_back(std::uint64_t /*number*/) override {}
  };
  media::FramePool pool(size, 1, media::Backing::shared);
  const auto frame = pattern_frame(pool, index).value();
  const auto place = frame.shared_place().value();
  return media::BorrowedFrames(size, 1)
      .borrow({place.memory.shared_from_this(), place.offset_bytes, frame.stamp(),
               std::make_shared<Lender>(), index})
      .value();
}

}  // namespace submix::testing
