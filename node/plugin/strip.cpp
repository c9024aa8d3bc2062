// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/strip.hpp"

#include "common/base/assert.hpp"

#include <boost/crc.hpp>

#include <array>
#include <cstddef>

namespace submix::plugin {
namespace {

constexpr std::uint16_t kMagic = 0x5b0d;
constexpr int kBlock = 4;          // pixels; large enough to be seen, and read at its middle
constexpr int kBlocksAcross = 24;  // three bytes
constexpr int kBlocksDown = 8;
constexpr int kColumnBits = 16;
constexpr int kColumnBlock = 2;
constexpr int kColumnWidth = kColumnBits * kColumnBlock;
constexpr int kStripX = kStripPlaces * kColumnWidth;  // right of all columns
constexpr int kStripHeight = kBlock * kBlocksDown;
constexpr std::size_t kStripBytes = std::size_t{kBlocksAcross} * kBlocksDown / 8;
constexpr std::size_t kCrcBytes = 4;

using StripBytes = std::array<std::uint8_t, kStripBytes>;

constexpr Color kOne{255, 255, 255, 255};
constexpr Color kZero{0, 0, 0, 255};

void write(StripBytes& bytes, std::size_t at, std::size_t count, std::uint64_t value) {
  for (std::size_t i = 0; i < count; ++i)
    bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * (count - 1 - i)));
}

std::uint64_t read(const StripBytes& bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i)
    value = value << 8U | bytes[at + i];
  return value;
}

std::uint32_t crc_of(const StripBytes& bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size() - kCrcBytes);
  return crc.checksum();
}

StripBytes encode(const StripMark& mark) {
  StripBytes bytes{};
  write(bytes, 0, 2, kMagic);
  write(bytes, 2, 2, mark.source);
  write(bytes, 4, 8, mark.epoch);
  write(bytes, 12, 8, mark.index);
  write(bytes, 20, kCrcBytes, crc_of(bytes));
  return bytes;
}

std::optional<StripMark> decode(const StripBytes& bytes) {
  if (read(bytes, 0, 2) != kMagic || read(bytes, 20, kCrcBytes) != crc_of(bytes))
    return std::nullopt;
  return StripMark{static_cast<std::uint16_t>(read(bytes, 2, 2)), read(bytes, 4, 8),
                   read(bytes, 12, 8)};
}

// The last step of SplitMix64: any two marks or bands differ in about half of the bits.
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

std::uint64_t key_of(const StripMark& mark) {
  return mix(mix(mix(mark.epoch) + mark.index) + mark.source);
}

unsigned column_bits(std::uint64_t key, int band) {
  return static_cast<unsigned>(mix(key + static_cast<std::uint64_t>(band)) & 0xffffU);
}

bool is_one(const Picture& picture, int x, int y) {
  const auto pixel = static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.size.width) +
                     static_cast<std::size_t>(x);
  return picture.rgba[pixel * 4 + 1] >= 128;  // green
}

bool has_bit(unsigned value, int bits, int index) {
  return ((value >> static_cast<unsigned>(bits - 1 - index)) & 1U) != 0;
}

void draw_column(DrawingSurface& surface, int place, const StripMark& mark) {
  const auto key = key_of(mark);
  for (int y = 0; y < surface.size().height; y += kStripBandRows) {
    const auto bits = column_bits(key, y / kStripBandRows);
    for (int i = 0; i < kColumnBits; ++i) {
      surface.fill({place * kColumnWidth + i * kColumnBlock, y, kColumnBlock, kStripBandRows},
                   has_bit(bits, kColumnBits, i) ? kOne : kZero);
    }
  }
}

}  // namespace

Size strip_size_min(int place) {
  return {kStripX + kBlock * kBlocksAcross, kStripHeight * (place + 1)};
}

bool strip_fits(Size size, int place) {
  const auto least = strip_size_min(place);
  return place >= 0 && place < kStripPlaces && size.width >= least.width &&
         size.height >= least.height;
}

void draw_strip(DrawingSurface& surface, int place, const StripMark& mark) {
  SUBMIX_ASSERT(strip_fits(surface.size(), place));
  const auto bytes = encode(mark);
  for (int i = 0; i < kBlocksAcross * kBlocksDown; ++i) {
    const bool bit = has_bit(bytes[static_cast<std::size_t>(i / 8)], 8, i % 8);
    const int x = kStripX + i % kBlocksAcross * kBlock;
    const int y = place * kStripHeight + i / kBlocksAcross * kBlock;
    surface.fill({x, y, kBlock, kBlock}, bit ? kOne : kZero);
  }
  draw_column(surface, place, mark);
}

std::optional<StripMark> read_strip(const Picture& picture, int place) {
  if (!strip_fits(picture.size, place)) return std::nullopt;
  StripBytes bytes{};
  for (int i = 0; i < kBlocksAcross * kBlocksDown; ++i) {
    const int x = kStripX + i % kBlocksAcross * kBlock + kBlock / 2;
    const int y = place * kStripHeight + i / kBlocksAcross * kBlock + kBlock / 2;
    const unsigned bit = is_one(picture, x, y) ? 0x80U >> static_cast<unsigned>(i % 8) : 0U;
    bytes[static_cast<std::size_t>(i / 8)] |= static_cast<std::uint8_t>(bit);
  }
  return decode(bytes);
}

int count_torn_rows(const Picture& picture, int place, const StripMark& mark) {
  const auto key = key_of(mark);
  int torn = 0;
  for (int y = 0; y < picture.size.height; ++y) {
    const auto expected = column_bits(key, y / kStripBandRows);
    unsigned bits = 0;
    for (int i = 0; i < kColumnBits; ++i) {
      bits = bits << 1U | (is_one(picture, place * kColumnWidth + i * kColumnBlock, y) ? 1U : 0U);
    }
    if (bits != expected) ++torn;
  }
  return torn;
}

}  // namespace submix::plugin
